import type { FetchJson } from '../outbound/fetch-json.ts'
import type { PlatformContext } from '../platform/context.ts'
import type { WebhookContext } from '../webhooks/context.ts'

/** Context of the authorization service, which signs platform users in and sends webhooks. */
export interface OAuthContext extends PlatformContext, WebhookContext {
  readonly fetchJson: FetchJson
}
