import { recordOnApp } from '../audit/record.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { type Developer, requireScopes } from './developer.ts'
import { holdManaged } from './managed-apps.ts'
import {
  type RotatedSecret,
  type RotationOptions,
  rotateClientSecret,
  rotateWebhookSecret,
} from './save.ts'
import type { AppEnvironment } from './store/clients.ts'

type Rotating = Pick<
  OAuthContext,
  'clock' | 'db' | 'encryption' | 'network' | 'random' | 'steadyNow'
>

/** Gives one set of credentials of an app a new secret. Throws app_not_found, insufficient_scope. */
export async function rotateManagedClientSecret(
  ctx: Rotating,
  developer: Developer,
  appId: string,
  environment: AppEnvironment,
  options: RotationOptions,
): Promise<RotatedSecret & { clientId: string }> {
  return ctx.db.write(async (trx) => {
    const app = await holdManaged(trx, developer, appId)
    requireScopes(developer, app)
    const { clientId } = app[environment]
    await recordOnApp(ctx, trx, developer, 'client-secret.rotated', app.id, environment)
    return { clientId, ...(await rotateClientSecret(ctx, trx, clientId, options)) }
  })
}

/** Gives an app's webhooks a new secret token. Throws app_not_found, insufficient_scope. */
export async function rotateManagedSecretToken(
  ctx: Rotating,
  developer: Developer,
  appId: string,
  options: RotationOptions,
): Promise<RotatedSecret> {
  return ctx.db.write(async (trx) => {
    const { id } = await holdManaged(trx, developer, appId)
    await recordOnApp(ctx, trx, developer, 'webhook-secret.rotated', id)
    return rotateWebhookSecret(ctx, trx, id, options)
  })
}
