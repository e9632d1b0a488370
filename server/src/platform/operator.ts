import { didYouMean } from '@skillpass/contract'
import { currentOperator, type OperatorContext, record, userParty } from '../audit/record.ts'
import { listNames } from '../audit/store/names.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import { deleteSessionsOf } from './store/sessions.ts'
import { findUsersNamed, type ListedUser, setUserDisabled } from './store/users.ts'

/** Finds a user by id or email. Throws 404, and 400 if several users have the email. */
export async function findNamedUser(db: Db, name: string): Promise<ListedUser> {
  const found = await findUsersNamed(db, name)
  const [user, other] = found
  if (!user) {
    fail(404, `There is no user ${name}.${didYouMean(name, await listNames(db, 'user'))}`)
  }
  if (other) {
    // Pending users in other accounts may have the email of a verified user.
    const ids = found.map(({ id, accountName }) => `${id} (${accountName})`)
    fail(400, `Several users have the email ${name}. Specify one by its id: ${ids.join(', ')}.`)
  }
  return user
}

/**
 * Disables or enables a user. A disabled user is signed out and cannot sign in, and their tokens
 * get the error for a removed user (spec/oauth.md#errors, 4735). When the user is enabled again,
 * tokens that have not expired work again. Throws 404, and 400 if the user is already in that
 * state.
 */
export const setUserState = (
  ctx: OperatorContext,
  name: string,
  state: 'disabled' | 'enabled',
  note: string,
): Promise<ListedUser> =>
  ctx.db.write(async (trx) => {
    const user = await findNamedUser(trx, name)
    const at = state === 'disabled' ? ctx.clock.now() : null
    if (!(await setUserDisabled(trx, user.id, at))) {
      fail(400, `${user.email} is ${at === null ? 'not disabled' : 'already disabled'}.`)
    }
    if (at !== null) await deleteSessionsOf(trx, user.id)
    const [who, whom] = [currentOperator(), userParty(user.id)]
    await record(ctx, trx, { action: `user.${state}`, who, whom, accountId: user.accountId, note })
    return user
  })
