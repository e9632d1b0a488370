import type { AppDeauthorizedEvent } from '@skillpass/contract'
import type { z } from 'zod'
import type { Db } from '../db/open.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { isoTime } from '../runtime/time.ts'
import { findSubscription, insertEvent } from '../store/webhooks.ts'
import { signText } from './sign.ts'

type EndedAccess = Readonly<Record<'appId' | 'userId' | 'accountId' | 'clientId', string>>

/**
 * Writes an event for each user and app whose access has ended, in the same transaction
 * (spec/oauth.md#deauthorization-webhook).
 */
export async function writeRemovals(
  ctx: OperatorContext,
  trx: Db,
  ended: readonly EndedAccess[],
  now: number,
): Promise<void> {
  for (const appId of new Set(ended.map((one) => one.appId))) {
    const subscription = await findSubscription(trx, appId)
    if (!subscription) continue
    const secret = ctx.encryption.open('webhook-secret', appId, subscription.secret)
    const inProduction = ended.filter(({ clientId }) => clientId === subscription.clientId)
    // A user may have several grants to the app. Send one event.
    for (const one of new Map(inProduction.map((access) => [access.userId, access])).values()) {
      const body = JSON.stringify(appDeauthorized(secret, one, now))
      const id = ctx.random.uuid()
      const event = { id, appId, event: 'app_deauthorized', body, createdAt: now } as const
      await insertEvent(trx, { ...event, trace: ctx.trace })
    }
  }
}

// The keys have the order of the spec.
function appDeauthorized(
  secret: string,
  { userId, accountId, clientId }: EndedAccess,
  now: number,
): z.input<typeof AppDeauthorizedEvent> {
  const time = isoTime(now)
  return {
    event: 'app_deauthorized',
    event_ts: now,
    payload: {
      account_id: accountId,
      user_id: userId,
      signature: signText(secret, `${clientId}:${userId}:${accountId}:${time}`),
      deauthorization_time: time,
      client_id: clientId,
    },
  }
}
