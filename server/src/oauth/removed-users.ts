import type { Db } from '../db/open.ts'
import { writeRemovals } from '../webhooks/outbox.ts'
import type { OAuthContext } from './context.ts'
import { endGrants } from './store/grants.ts'

/**
 * Ends all that a user has allowed, in the transaction that removes the user, and writes an event to
 * each public app: it has to delete the data as if the user had removed it (OAuth spec §6).
 */
export async function onUserRemoved(
  ctx: Pick<OAuthContext, 'encryption' | 'random' | 'steadyNow' | 'trace'>,
  trx: Db,
  userId: string,
): Promise<void> {
  const now = ctx.steadyNow()
  const ending = { of: 'user_id', id: userId, reason: 'owner-removed', now } as const
  const { grants } = await endGrants(trx, ending)
  await writeRemovals(ctx, trx, grants, now)
}
