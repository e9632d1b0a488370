import {
  didYouMean,
  type NewUser,
  type ProfileChanges,
  type platformContract,
} from '@skillpass/contract'
import type { z } from 'zod'
import { currentOperator, memberParty, record, userParty } from '../audit/record.ts'
import { UniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { Context, OperatorContext } from '../runtime/context.ts'
import { readPage, textPlace } from '../runtime/page-token.ts'
import { listNames } from '../store/names.ts'
import { findDomainAccount, replaceDomains } from '../store/platform/accounts.ts'
import { insertMeeting } from '../store/platform/meetings.ts'
import { deleteSessionsOf } from '../store/platform/sessions.ts'
import * as store from '../store/platform/users.ts'
import { domainOf, type UserRecord } from '../store/platform/users.ts'
import { toCamel } from '../text/case.ts'
import { type Bearer, findVisibleAccount } from './bearer.ts'
import { writeUserEvent, writeUserUpdate } from './events.ts'
import { blankMeeting, joinUrl, passcodeOf, randomMeetingNumber } from './meeting-access.ts'

/**
 * Returns the name of the user's account and the address of the personal meeting. The address
 * contains the passcode only if the token belongs to the user.
 */
export async function describeUserDetails(ctx: Context, bearer: Bearer, user: UserRecord) {
  const found = await store.findAccountAndMeeting(ctx.db.read, user)
  const { accountName = '', uuid, password } = found ?? {}
  const isOpen = bearer.userId === user.id && uuid && password
  const passcode = isOpen ? passcodeOf(ctx, { uuid, password }) : undefined
  return { accountName, personalMeetingUrl: joinUrl(ctx.config, user.pmi, passcode) }
}

/** Changes a user's profile. Undefined fields keep their values. */
export const updateUser = (
  ctx: Context,
  bearer: Bearer,
  user: UserRecord,
  changes: z.output<typeof ProfileChanges>,
): Promise<void> => ctx.db.write((trx) => changeUser(ctx, trx, user.id, toCamel(changes), bearer))

/** Returns a page of an account's users. Throws validation_failed and like `findVisibleAccount`. */
export async function listUsers(
  ctx: Context,
  bearer: Bearer,
  query: z.output<typeof platformContract.users.list.query>,
) {
  const { account_id, status, page_size, next_page_token } = query
  const account = await findVisibleAccount(ctx, bearer, account_id)
  const page = await readPage(
    `users ${account.id} ${status}`,
    textPlace,
    { after: next_page_token, limit: page_size },
    (after, limit) =>
      store.findUsers(ctx.db.read, account.id, { status, after: after?.[0] ?? '', limit }),
    ({ id }) => [id],
  )
  return { account, total: await store.countUsers(ctx.db.read, account.id, status), ...page }
}

/** A hash that no password has, so that the user cannot sign in. */
const noPassword = ''

/**
 * Adds a member, who is pending until the email is verified by a domain of the account or by the
 * operator. Whether another account has a user with the email is not disclosed. Throws user_exists.
 */
export async function createUser(
  ctx: Context,
  bearer: Bearer,
  { user_info, account_id }: z.output<typeof NewUser>,
): Promise<UserRecord> {
  const { id: accountId } = await findVisibleAccount(ctx, bearer, account_id)
  const { password, ...profile } = toCamel(user_info)
  const { email } = profile
  if (await store.findUserOfAccount(ctx.db.read, email, accountId)) fail('user_exists')
  const claim = { source: `account ${accountId}`, signal: ctx.signal }
  const passwordHash =
    password === undefined ? noPassword : await ctx.passwords.hash(password, claim)
  const user: UserParts = { ...profile, accountId, role: 'member', passwordHash }
  const verified = (await isVerifiedByDomain(ctx, email, accountId)) ? 1 : 0
  return ctx.db
    .write(async (trx) => {
      const created = await makeUser(ctx, trx, { ...user, verified }, bearer)
      const [who, whom] = [memberParty(bearer), userParty(created.id)]
      await record(ctx, trx, { action: 'user.created', who, whom, accountId })
      return created
    })
    .catch((error) => {
      // A concurrent request created a user with this email.
      const isTaken = error instanceof UniqueViolation && error.columns.includes('email_key')
      if (!isTaken) throw error
      return fail('user_exists')
    })
}

/** Whether the account owns the domain of the email and no verified user has it. */
async function isVerifiedByDomain({ db }: Context, email: string, accountId: string) {
  if ((await findDomainAccount(db.read, domainOf(email))) !== accountId) return false
  return (await store.findUserByEmail(db.read, email)) === undefined
}

/** Fields of a new user, verified by default. `passwordHash` comes from `Passwords.hash`. */
type UserParts = Pick<UserRecord, 'accountId' | 'email' | 'role' | 'firstName' | 'lastName'> &
  Partial<Pick<UserRecord, 'displayName' | 'type' | 'verified'>> & { passwordHash: string }

/** Creates a user and their personal meeting. Throws `UniqueViolation`. */
export async function makeUser(
  ctx: OperatorContext,
  trx: Db,
  input: UserParts,
  by?: Bearer,
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
  await writeUserEvent(ctx, trx, 'user.created', user, by)
  return user
}

// Two transactions may choose the same number (of 9·10^9). One of them then fails.
async function unusedMeetingNumber({ random }: OperatorContext, trx: Db) {
  for (;;) {
    const number = randomMeetingNumber(random, 10)
    if (!(await store.isPmiTaken(trx, number))) return number
  }
}

/** Changes a user. A new password ends the user's sessions. */
export async function changeUser(
  ctx: OperatorContext,
  trx: Db,
  id: string,
  changes: store.UserChanges,
  by?: Bearer,
): Promise<void> {
  const before = await store.lockUser(trx, id)
  await store.updateUserFields(trx, id, changes)
  if (changes.passwordHash !== undefined) await deleteSessionsOf(trx, id)
  const after = await store.findUser(trx, id)
  if (before && after) await writeUserUpdate(ctx, trx, before, after, by)
}

/**
 * Replaces an account's domains. Pending users with an email of these become verified. Returns
 * whether the domains have changed.
 */
export async function assignDomains(
  ctx: OperatorContext,
  trx: Db,
  accountId: string,
  domains: readonly string[],
) {
  const isChanged = await replaceDomains(trx, accountId, domains)
  for (const { id, email } of await store.listPendingUsers(trx, accountId)) {
    if (!domains.includes(domainOf(email))) continue
    if (!(await store.findUserByEmail(trx, email))) await changeUser(ctx, trx, id, { verified: 1 })
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
    await writeUserUpdate(ctx, trx, user, { ...user, disabledAt: at })
    const [who, whom] = [currentOperator(), userParty(user.id)]
    await record(ctx, trx, { action: `user.${state}`, who, whom, accountId: user.accountId, note })
    return user
  })
