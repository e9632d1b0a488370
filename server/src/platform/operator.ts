import { currentOperator, type Operating } from '../audit/operator.ts'
import { record, userParty } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import { didYouMean } from '../names/closest.ts'
import { findUsersNamed, type ListedUser, listAllUsers, listEmails } from './store/all-users.ts'
import { deleteSessionsOf } from './store/sessions.ts'
import { setUserDisabled } from './store/user-changes.ts'

/** What the operator does to users. Servers that run follow at once: each use of a token asks. */

/** Users of all accounts, in the order of their ids. */
export const listUsersOfAll = (
  { db }: Pick<Operating, 'db'>,
  page: Parameters<typeof listAllUsers>[1],
): Promise<ListedUser[]> => listAllUsers(db.read, page)

/** The user that an id or an email names. Throws 404, and 400 for an email of several users. */
export async function findNamedUser(db: Db, name: string): Promise<ListedUser> {
  const found = await findUsersNamed(db, name)
  const [user, other] = found
  if (!user) {
    fail(404, `There is no user ${name}.${didYouMean(name, await listEmails(db))}`)
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
 * (OAuth spec §7, 4735). What the user has allowed stays for when it is enabled. Throws 404, and 400
 * where it is disabled.
 */
export const disableUser = (ctx: Operating, name: string, reason: string): Promise<ListedUser> =>
  ctx.db.write(async (trx) => {
    const user = await findNamedUser(trx, name)
    const isChanged = await setUserDisabled(trx, user.id, ctx.clock.now())
    if (!isChanged) fail(400, `${user.email} is disabled already.`)
    await deleteSessionsOf(trx, user.id)
    await recordUser(ctx, trx, 'user.disabled', user, reason)
    return user
  })

/** Lets a disabled user sign in again and its tokens work that have not expired. Throws 404, and 400. */
export const enableUser = (ctx: Operating, name: string, reason: string): Promise<ListedUser> =>
  ctx.db.write(async (trx) => {
    const user = await findNamedUser(trx, name)
    if (!(await setUserDisabled(trx, user.id, null))) fail(400, `${user.email} is not disabled.`)
    await recordUser(ctx, trx, 'user.enabled', user, reason)
    return user
  })

const recordUser = (
  ctx: Operating,
  trx: Db,
  action: 'user.disabled' | 'user.enabled',
  { id, accountId }: ListedUser,
  note: string,
) => record(ctx, trx, { action, who: currentOperator(), whom: userParty(id), accountId, note })
