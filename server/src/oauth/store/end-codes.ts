import type { Db } from '../../db/open.ts'
import type { EndReason } from '../../db/schema.ts'

/** Whose codes end: those of the users of one account, of one user, or of all; of one app where it is named. */
export interface EndingCodes {
  readonly of: 'user_id' | 'account_id' | 'app_id'
  readonly id: string
  readonly appId?: string
  readonly reason: EndReason
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Ends the codes that users have allowed. Gives how many of them are of devices that would have
 * connected with their next poll.
 */
export async function endCodes(trx: Db, ending: EndingCodes): Promise<number> {
  const { of, id, appId, reason, now } = ending
  const app = of === 'app_id' ? id : appId
  const users = trx
    .selectFrom('users')
    .select('id')
    .$if(of !== 'app_id', (query) => query.where(of === 'user_id' ? 'id' : 'account_id', '=', id))
  const clients = trx
    .selectFrom('clients')
    .select('client_id')
    .$if(app !== undefined, (query) => query.where('app_id', '=', app ?? ''))
  await trx
    .updateTable('authorization_codes')
    .set({ end_reason: reason })
    .where('user_id', 'in', users)
    .where('client_id', 'in', clients)
    .where('end_reason', 'is', null)
    .execute()
  const devices = await trx
    .updateTable('device_codes')
    .set({ end_reason: reason })
    .where('user_id', 'in', users)
    .where('client_id', 'in', clients)
    .where('end_reason', 'is', null)
    .returning(['state', 'expires_at as expiresAt'])
    .execute()
  return devices.filter(({ state, expiresAt }) => state === 'authorized' && expiresAt > now).length
}
