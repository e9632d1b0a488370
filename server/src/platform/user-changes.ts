import type { Db } from '../db/open.ts'
import type { PlatformContext } from './context.ts'
import { blankMeeting, randomMeetingNumber } from './meeting-number.ts'
import { replaceDomains } from './store/accounts.ts'
import { insertMeeting } from './store/meetings.ts'
import { deleteSessionsOf } from './store/sessions.ts'
import { domainOf, type UserRecord } from './store/user-record.ts'
import {
  findUserByEmail,
  insertUser,
  isPmiTaken,
  listPendingUsers,
  markUserRemoved,
  type UserChanges,
  updateUser,
} from './store/users.ts'

/** Fields of a new user, verified by default. `passwordHash` comes from `hashPassword`. */
export type UserParts = Pick<
  UserRecord,
  'accountId' | 'email' | 'role' | 'firstName' | 'lastName'
> &
  Partial<Pick<UserRecord, 'displayName' | 'type' | 'verified'>> & { passwordHash: string }

/** Creates a user and their personal meeting. Throws `UniqueViolation`. */
export async function makeUser(
  ctx: Pick<PlatformContext, 'clock' | 'encryption' | 'random'>,
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
  await insertUser(trx, { ...user, passwordHash })
  const fixed = { id: user.pmi, type: 4, topic: 'Personal Meeting Room' } as const
  await insertMeeting(trx, blankMeeting(ctx, user, fixed))
  return user
}

// Two transactions may choose the same number (of 9·10^9). One of them then fails.
async function unusedMeetingNumber({ random }: Pick<PlatformContext, 'random'>, trx: Db) {
  for (;;) {
    const number = randomMeetingNumber(random, 10)
    if (!(await isPmiTaken(trx, number))) return number
  }
}

/** Changes a user. A new password ends the user's sessions. */
export async function changeUser(trx: Db, id: string, changes: UserChanges): Promise<void> {
  await updateUser(trx, id, changes)
  if (changes.passwordHash !== undefined) await deleteSessionsOf(trx, id)
}

/** Ends all access that a user has allowed, in the transaction that removes the user. */
export type OnUserRemoved = (
  ctx: Pick<PlatformContext, 'encryption' | 'random' | 'steadyNow' | 'trace'>,
  trx: Db,
  userId: string,
) => Promise<void>

/**
 * Removes a user from the account and frees the email. The row stays, so that the user's tokens get
 * error 4735 (spec/oauth.md#errors). Returns undefined if the user does not exist.
 */
export async function endMembership(ctx: Pick<PlatformContext, 'clock'>, trx: Db, id: string) {
  await deleteSessionsOf(trx, id)
  return markUserRemoved(trx, id, ctx.clock.now())
}

/**
 * Replaces an account's domains. Pending users with an email of these become verified. Returns
 * whether the domains have changed.
 */
export async function assignDomains(trx: Db, accountId: string, domains: readonly string[]) {
  const isChanged = await replaceDomains(trx, accountId, domains)
  for (const { id, email } of await listPendingUsers(trx, accountId)) {
    if (!domains.includes(domainOf(email))) continue
    if (!(await findUserByEmail(trx, email))) await updateUser(trx, id, { verified: 1 })
  }
  return isChanged
}
