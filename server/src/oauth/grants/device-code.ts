import type { OAuthErrorName } from '@skillpass/contract'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors/failure.ts'
import type { Context } from '../../runtime/context.ts'
import { hashSecret, parseSecret } from '../../secrets/secrets.ts'
import type { OAuthClient } from '../../store/oauth/clients.ts'
import * as store from '../../store/oauth/device-codes.ts'
import type { Resource } from '../../store/oauth/grants.ts'
import { findUser } from '../../store/platform/users.ts'
import { readResource } from '../resources.ts'
import { createGrantId, type IssuedTokens, issueGrant } from '../tokens.ts'
import { errorOfEndedGrant, exchange, type GrantHandler, grantableScopes } from './grant-handler.ts'

/** Seconds that each early poll adds to the interval (RFC 8628 §3.5). */
const slowDownBy = 5

/** Device authorization: the app polls until the user has decided (RFC 8628 §3.4). */
export const deviceCode: GrantHandler<'urn:ietf:params:oauth:grant-type:device_code'> = {
  grantType: 'urn:ietf:params:oauth:grant-type:device_code',
  async run(ctx, client, { device_code: text, resource: requested }) {
    const key = hashSecret(parseSecret('deviceCode', text) ?? fail('invalid_grant'))
    const resource = readResource(ctx, requested)
    return exchange(ctx, async (trx) => {
      const code = await store.findDeviceCode(trx, { key })
      if (!code || code.clientId !== client.clientId || code.state === 'redeemed') {
        return 'invalid_grant'
      }
      if (code.endReason !== null) return errorOfEndedGrant(code.endReason, 'access_denied')
      if (!client.app.deviceFlow) return 'unauthorized_client'
      if (code.state === 'denied') return 'access_denied'
      if (code.expiresAt <= ctx.steadyNow()) return 'expired_token'
      return code.state === 'pending'
        ? poll(ctx, trx, code)
        : redeem(ctx, trx, client, { ...code, resource })
    })
  },
}

async function poll(ctx: Context, trx: Db, { key, intervalSeconds }: store.DeviceCode) {
  const next = await store.notePoll(trx, { key, now: ctx.steadyNow(), slowDownBy })
  return next?.intervalSeconds === intervalSeconds ? 'authorization_pending' : 'slow_down'
}

async function redeem(
  ctx: Context,
  trx: Db,
  client: OAuthClient,
  code: store.DeviceCode & { readonly resource: Resource },
): Promise<IssuedTokens | OAuthErrorName> {
  const user = code.userId === null ? undefined : await findUser(trx, code.userId)
  if (!user || user.disabledAt !== null) return 'owner_missing'
  const { id: userId, accountId, role } = user
  const { resource, scopes } = code
  const granted = await grantableScopes(trx, client, { accountId, role, scopes })
  if (typeof granted === 'string') return granted
  if (!(await store.redeemDeviceCode(trx, code.key))) return 'invalid_grant'
  const id = createGrantId(ctx)
  return issueGrant(ctx, trx, client, { id, userId, accountId, resource, ...granted })
}
