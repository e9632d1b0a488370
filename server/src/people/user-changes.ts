import { didYouMean } from '@skillpass/contract'
import { currentOperator, type OperatorContext, record, userParty } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import { listNames } from '../store/audit.ts'
import { replaceDomains } from '../store/platform/accounts.ts'
import { insertMeeting } from '../store/platform/meetings.ts'
import * as store from '../store/platform/users.ts'
import { deleteSessionsOf, domainOf, type UserRecord } from '../store/platform/users.ts'
import { blankMeeting, randomMeetingNumber } from './meeting-number.ts'

/** Fields of a new user, verified by default. `passwordHash` comes from `Passwords.hash`. */
export type UserParts = Pick<
  UserRecord,
  'accountId' | 'email' | 'role' | 'firstName' | 'lastName'
> &
  Partial<Pick<UserRecord, 'displayName' | 'type' | 'verified'>> & { passwordHash: string }

/** Creates a user and their personal meeting. Throws `UniqueViolation`. */
export async function makeUser(
  ctx: Pick<Context, 'clock' | 'encryption' | 'random'>,
  trx: Db,
  input: UserParts,
): Promise<UserRecord> {
  const { passwordHash, ...rest } = input
  const user: UserRecord = {
    type: 1,
    verified: 1,
    displayName: '',
    ...rest,
    id: ctx.random.uuid(),
    pmi: await unusedMeetingNumber(ctx, trx),
    timezone: 'UTC',
    language: 'en-US',
    dept: '',
    company: '',
    jobTitle: '',
    location: '',
    createdAt: ctx.clock.now(),
    lastLoginAt: null,
    disabledAt: null,
  }
  await store.insertUser(trx, { ...user, passwordHash })
  const fixed = { id: user.pmi, type: 4, topic: 'Personal Meeting Room' } as const
  await insertMeeting(trx, blankMeeting(ctx, user, fixed))
  return user
}

// Two transactions may choose the same number (of 9·10^9). One of them then fails.
async function unusedMeetingNumber({ random }: Pick<Context, 'random'>, trx: Db) {
  for (;;) {
    const number = randomMeetingNumber(random, 10)
    if (!(await store.isPmiTaken(trx, number))) return number
  }
}

/** Changes a user. A new password ends the user's sessions. */
export async function changeUser(trx: Db, id: string, changes: store.UserChanges): Promise<void> {
  await store.updateUserFields(trx, id, changes)
  if (changes.passwordHash !== undefined) await deleteSessionsOf(trx, id)
}

/**
 * Replaces an account's domains. Pending users with an email of these become verified. Returns
 * whether the domains have changed.
 */
export async function assignDomains(trx: Db, accountId: string, domains: readonly string[]) {
  const isChanged = await replaceDomains(trx, accountId, domains)
  for (const { id, email } of await store.listPendingUsers(trx, accountId)) {
    if (!domains.includes(domainOf(email))) continue
    if (!(await store.findUserByEmail(trx, email)))
      await store.updateUserFields(trx, id, { verified: 1 })
  }
  return isChanged
}

/** Finds a user by id or email. Throws 404, and 400 if several users have the email. */
export async function findNamedUser(db: Db, name: string): Promise<store.ListedUser> {
  const found = await store.findUsersNamed(db, name)
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
): Promise<store.ListedUser> =>
  ctx.db.write(async (trx) => {
    const user = await findNamedUser(trx, name)
    const at = state === 'disabled' ? ctx.clock.now() : null
    if (!(await store.setUserDisabled(trx, user.id, at))) {
      fail(400, `${user.email} is ${at === null ? 'not disabled' : 'already disabled'}.`)
    }
    if (at !== null) await deleteSessionsOf(trx, user.id)
    const [who, whom] = [currentOperator(), userParty(user.id)]
    await record(ctx, trx, { action: `user.${state}`, who, whom, accountId: user.accountId, note })
    return user
  })
