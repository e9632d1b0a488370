import type { Db } from '../db/open.ts'
import { writeRemovals } from '../webhooks/outbox.ts'
import type { OAuthContext } from './context.ts'
import { type AccessToEnd, endGrants } from './store/grants.ts'

type EndAccessContext = Pick<OAuthContext, 'encryption' | 'random' | 'steadyNow' | 'trace'>

/**
 * Ends the selected access and writes an event for each public app, which must then delete the
 * user's data (spec/oauth.md#deauthorization-webhook). Call `ctx.webhooks.wake()` after the commit.
 */
export async function endAccess(ctx: EndAccessContext, trx: Db, ending: Omit<AccessToEnd, 'now'>) {
  const now = ctx.steadyNow()
  const ended = await endGrants(trx, { ...ending, now })
  await writeRemovals(ctx, trx, ended.grants, now)
  return ended
}

/** Ends all access that a user has allowed, in the transaction that removes the user. */
export async function onUserRemoved(ctx: EndAccessContext, trx: Db, id: string): Promise<void> {
  await endAccess(ctx, trx, { of: 'user_id', id, reason: 'owner-removed' })
}
