import { currentOperator, type Operating } from '../audit/operator.ts'
import { record, userParty } from '../audit/record.ts'
import { listNames } from '../audit/store/names.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import { didYouMean } from '../names/closest.ts'
import { findUsersNamed, type ListedUser } from './store/all-users.ts'
import { deleteSessionsOf } from './store/sessions.ts'
import { setUserDisabled } from './store/user-changes.ts'

/** What the operator does to users. Servers that run follow at once: each use of a token asks. */

/** The user that an id or an email names. Throws 404, and 400 for an email of several users. */
export async function findNamedUser(db: Db, name: string): Promise<ListedUser> {
  const found = await findUsersNamed(db, name)
  const [user, other] = found
  if (!user) {
    fail(404, `There is no user ${name}.${didYouMean(name, await listNames(db, 'user'))}`)
  }
  if (other) {
    // An email is one verified user's, but may wait for its proof in further accounts.
    const ids = found.map(({ id, accountName }) => `${id} (${accountName})`)
    fail(400, `Several users have the email ${name}. Give the id of one: ${ids.join(', ')}.`)
  }
  return user
}

/**
 * Disables a user: browsers are signed out, nobody signs in, and tokens answer as those of a removed user
 * (OAuth spec §7, 4735). Enabled again, the user signs in and tokens work that have not expired. Throws 404,
 * and 400 if that is so already.
 */
export const switchUser = (
  ctx: Operating,
  name: string,
  state: 'disabled' | 'enabled',
  note: string,
): Promise<ListedUser> =>
  ctx.db.write(async (trx) => {
    const user = await findNamedUser(trx, name)
    const at = state === 'disabled' ? ctx.clock.now() : null
    if (!(await setUserDisabled(trx, user.id, at))) {
      fail(400, `${user.email} is ${at === null ? 'not disabled' : 'disabled already'}.`)
    }
    if (at !== null) await deleteSessionsOf(trx, user.id)
    const [who, whom] = [currentOperator(), userParty(user.id)]
    await record(ctx, trx, { action: `user.${state}`, who, whom, accountId: user.accountId, note })
    return user
  })
