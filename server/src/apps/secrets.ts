import { currentOperator } from '../audit/operator.ts'
import { recordOnApp } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { OAuthContext } from '../oauth/context.ts'
import type { OperatorContext } from '../oauth/operator.ts'
import { createSecret, hashSecret, type Secret } from '../secrets/secrets.ts'
import { type Developer, requireScopes } from './developer.ts'
import { holdManaged } from './managed-apps.ts'
import { type AppEnvironment, findClient } from './store/clients.ts'
import { updateClientSecret, updateWebhookSecret } from './store/rotation.ts'

/** How long a secret stays good after its rotation, ms, so that servers can change over. */
const secretOverlap = 24 * 3_600_000

/** A secret that has taken the place of another, which is good until then, ms. Those before it have ended. */
export interface RotatedSecret {
  readonly secret: Secret
  readonly previousExpiresAt: number
}

/**
 * Gives one set of credentials of an app a new secret. `endsPrevious` ends the former one at once, since it has
 * leaked. Throws app_not_found, insufficient_scope.
 */
export const rotateClientSecret = (
  ctx: OAuthContext,
  developer: Developer,
  appId: string,
  environment: AppEnvironment,
  endsPrevious: boolean,
): Promise<RotatedSecret & { clientId: string }> =>
  ctx.db.write(async (trx) => {
    const app = await holdManaged(trx, developer, appId)
    requireScopes(developer, app)
    const { clientId } = app[environment]
    await recordOnApp(ctx, trx, developer, 'client-secret.rotated', app.id, environment)
    return { clientId, ...(await rotate(ctx, trx, clientId, endsPrevious)) }
  })

/** Gives an app's webhooks a new secret token. Throws app_not_found, insufficient_scope. */
export const rotateSecretToken = (
  ctx: OAuthContext,
  developer: Developer,
  appId: string,
  endsPrevious: boolean,
): Promise<RotatedSecret> =>
  ctx.db.write(async (trx) => {
    const { id } = await holdManaged(trx, developer, appId)
    await recordOnApp(ctx, trx, developer, 'webhook-secret.rotated', id)
    const secret = createSecret('webhookSecret', ctx.random)
    const { previousExpiresAt, kept } = endOfPrevious(ctx, endsPrevious)
    await updateWebhookSecret(trx, id, ctx.encryption.seal('webhook-secret', id, secret), kept)
    return { secret, previousExpiresAt }
  })

/** The operator gives the client a new secret. Throws 404. */
export const rotateClientSecretByOperator = (
  ctx: OperatorContext,
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
  const { previousExpiresAt, kept } = endOfPrevious(ctx, endsPrevious)
  await updateClientSecret(trx, clientId, hashSecret(secret), kept)
  return { secret, previousExpiresAt }
}

/** When the former secret ends, ms; `kept` is null if that is now. */
function endOfPrevious({ steadyNow }: Pick<OAuthContext, 'steadyNow'>, endsPrevious: boolean) {
  const previousExpiresAt = steadyNow() + (endsPrevious ? 0 : secretOverlap)
  return { previousExpiresAt, kept: endsPrevious ? null : previousExpiresAt }
}
