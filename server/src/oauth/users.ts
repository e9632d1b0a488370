import { memberParty, record, userParty } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { fail, refuseField } from '../errors/failure.ts'
import { type Bearer, findVisibleUser } from '../people/bearer.ts'
import { writeUserEvent } from '../people/events.ts'
import type { Context, OperatorContext } from '../runtime/context.ts'
import { deleteSessionsOf } from '../store/platform/sessions.ts'
import { lockUser, markUserRemoved } from '../store/platform/users.ts'
import { endAccess } from './end-access.ts'

/**
 * Removes a user from their account and ends all access that the user allowed. The owner and `me`
 * cannot be removed. Throws insufficient_scope, user_not_found, validation_failed.
 */
export async function removeUser(ctx: Context, bearer: Bearer, name: string): Promise<void> {
  const { id } = await findVisibleUser(ctx, bearer, name)
  if (name === 'me') refuse('must be the id of a user, not me')
  await ctx.db.write(async (trx) => {
    const user = await lockUser(trx, id)
    if (user?.role === 'owner') refuse('must not be the owner of the account')
    if (!user || !(await endMembership(ctx, trx, id, bearer))) fail('user_not_found')
    const [who, whom] = [memberParty(bearer), userParty(id)]
    await record(ctx, trx, { action: 'user.removed', who, whom, accountId: user.accountId })
  })
}

function refuse(message: string): never {
  refuseField('path', 'userId', message)
}

/**
 * Removes a user from the account, ends their sessions and all access that they allowed, and frees
 * the email. The row stays, so that the user's tokens get error 4735 (spec/oauth.md#errors).
 * Returns whether the user existed.
 */
export async function endMembership(
  ctx: OperatorContext,
  trx: Db,
  id: string,
  by?: Bearer,
): Promise<boolean> {
  const user = await lockUser(trx, id)
  if (!user) return false
  await deleteSessionsOf(trx, id)
  // First, while the user's own apps may still see the user.
  await writeUserEvent(ctx, trx, 'user.deleted', user, by)
  await markUserRemoved(trx, id, ctx.clock.now())
  await endAccess(ctx, trx, { of: 'user_id', id, reason: 'owner-removed' })
  return true
}
