import { currentOperator, recordOnApp } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { OAuthContext } from '../oauth/context.ts'
import type { OAuthOperatorContext } from '../oauth/end-access.ts'
import { createSecret, hashSecret, type Secret } from '../secrets/secrets.ts'
import { lockManagedApp } from './apps.ts'
import { type Developer, requireScopes } from './developer.ts'
import { updateWebhookSecret } from './store/apps.ts'
import { type AppEnvironment, findClient, updateClientSecret } from './store/clients.ts'

/** How long the previous secret stays valid after a rotation, ms. */
const secretOverlap = 24 * 3_600_000

/** A new secret. The previous one expires at `previousExpiresAt` (ms); older ones are invalid. */
export interface RotatedSecret {
  readonly secret: Secret
  readonly previousExpiresAt: number
}

/**
 * Rotates the client secret of one set of credentials. `endsPrevious` invalidates the previous
 * secret at once, for when it has leaked. Throws app_not_found, insufficient_scope.
 */
export const rotateClientSecret = (
  ctx: OAuthContext,
  developer: Developer,
  appId: string,
  environment: AppEnvironment,
  endsPrevious: boolean,
): Promise<RotatedSecret & { clientId: string }> =>
  ctx.db.write(async (trx) => {
    const app = await lockManagedApp(trx, developer, appId)
    requireScopes(developer, app)
    const { clientId } = app[environment]
    await recordOnApp(ctx, trx, developer, 'client-secret.rotated', app.id, environment)
    return { clientId, ...(await rotate(ctx, trx, clientId, endsPrevious)) }
  })

/** Rotates the secret token of an app's webhooks. Throws app_not_found, insufficient_scope. */
export const rotateSecretToken = (
  ctx: OAuthContext,
  developer: Developer,
  appId: string,
  endsPrevious: boolean,
): Promise<RotatedSecret> =>
  ctx.db.write(async (trx) => {
    const { id } = await lockManagedApp(trx, developer, appId)
    await recordOnApp(ctx, trx, developer, 'webhook-secret.rotated', id)
    const secret = createSecret('webhookSecret', ctx.random)
    const { previousExpiresAt, previousEnd } = previousSecretEnd(ctx, endsPrevious)
    const sealed = ctx.encryption.seal('webhook-secret', id, secret)
    await updateWebhookSecret(trx, id, sealed, previousEnd)
    return { secret, previousExpiresAt }
  })

/** Rotates a client secret as the operator. Throws 404. */
export const rotateClientSecretByOperator = (
  ctx: OAuthOperatorContext,
  clientId: string,
  endsPrevious: boolean,
): Promise<RotatedSecret> =>
  ctx.db.write(async (trx) => {
    const app = (await findClient(trx, clientId))?.app
    if (!app) fail(404, 'There is no client with this id.')
    const by = { who: currentOperator(), accountId: app.accountId }
    await recordOnApp(ctx, trx, by, 'client-secret.rotated', app.id)
    return rotate(ctx, trx, clientId, endsPrevious)
  })

async function rotate(
  ctx: Pick<OAuthContext, 'random' | 'steadyNow'>,
  trx: Db,
  clientId: string,
  endsPrevious: boolean,
): Promise<RotatedSecret> {
  const secret = createSecret('clientSecret', ctx.random)
  const { previousExpiresAt, previousEnd } = previousSecretEnd(ctx, endsPrevious)
  await updateClientSecret(trx, clientId, hashSecret(secret), previousEnd)
  return { secret, previousExpiresAt }
}

/** When the previous secret expires, ms. `previousEnd` is null if it expires now. */
function previousSecretEnd({ steadyNow }: Pick<OAuthContext, 'steadyNow'>, endsPrevious: boolean) {
  const previousExpiresAt = steadyNow() + (endsPrevious ? 0 : secretOverlap)
  return { previousExpiresAt, previousEnd: endsPrevious ? null : previousExpiresAt }
}
