import { currentOperator, recordOnApp } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors/failure.ts'
import type { Context, OperatorContext } from '../../runtime/context.ts'
import { dayLength } from '../../runtime/time.ts'
import { createSecret, hashSecret, type Secret } from '../../secrets/secrets.ts'
import { updateWebhookSecret } from '../../store/oauth/apps.ts'
import { type AppEnvironment, findClient, updateClientSecret } from '../../store/oauth/clients.ts'
import { type AppManager, requireScopes } from './app-manager.ts'
import { lockManagedApp } from './apps.ts'

/** How long the previous secret stays valid after a rotation, ms. */
const secretOverlap = dayLength

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
  ctx: Context,
  manager: AppManager,
  appId: string,
  environment: AppEnvironment,
  endsPrevious: boolean,
): Promise<RotatedSecret & { clientId: string }> =>
  ctx.db.write(async (trx) => {
    const app = await lockManagedApp(trx, manager, appId)
    requireScopes(manager, app)
    const { clientId } = app[environment]
    await recordOnApp(ctx, trx, manager, 'client-secret.rotated', app.id, environment)
    return { clientId, ...(await rotateSecretOf(ctx, trx, clientId, endsPrevious)) }
  })

/** Rotates the secret token of an app's webhooks. Throws app_not_found, insufficient_scope. */
export const rotateSecretToken = (
  ctx: Context,
  manager: AppManager,
  appId: string,
  endsPrevious: boolean,
): Promise<RotatedSecret> =>
  ctx.db.write(async (trx) => {
    const { id } = await lockManagedApp(trx, manager, appId)
    await recordOnApp(ctx, trx, manager, 'webhook-secret.rotated', id)
    return rotate(ctx, 'webhookSecret', endsPrevious, (secret, previousEnd) => {
      const sealed = ctx.encryption.seal('webhook-secret', id, secret)
      return updateWebhookSecret(trx, id, sealed, previousEnd)
    })
  })

/** Rotates a client secret as the operator. Throws 404. */
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
    return rotateSecretOf(ctx, trx, clientId, endsPrevious)
  })

const rotateSecretOf = (ctx: OperatorContext, trx: Db, clientId: string, endsPrevious: boolean) =>
  rotate(ctx, 'clientSecret', endsPrevious, (secret, previousEnd) =>
    updateClientSecret(trx, clientId, hashSecret(secret), previousEnd),
  )

/** Replaces a secret. The `previousEnd` to store is null if the previous secret expires now. */
async function rotate(
  { random, steadyNow }: OperatorContext,
  kind: 'clientSecret' | 'webhookSecret',
  endsPrevious: boolean,
  store: (secret: Secret, previousEnd: number | null) => Promise<unknown>,
): Promise<RotatedSecret> {
  const secret = createSecret(kind, random)
  const previousExpiresAt = steadyNow() + (endsPrevious ? 0 : secretOverlap)
  await store(secret, endsPrevious ? null : previousExpiresAt)
  return { secret, previousExpiresAt }
}
