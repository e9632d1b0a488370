import type { PlatformContext } from '../platform/context.ts'
import type { WebhookContext } from '../webhooks/context.ts'

/** The authorization service signs people of the platform in and sends webhooks. */
export interface OAuthContext extends PlatformContext, WebhookContext {}
