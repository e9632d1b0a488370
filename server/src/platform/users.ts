import type { NewUser, ProfileChanges } from '@skillpass/contract'
import type { z } from 'zod'
import { memberParty, record, userParty } from '../audit/record.ts'
import { UniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import { type ListPage, pageOf, placeOf, textPlace } from '../db/page-token.ts'
import { fail, failField } from '../errors/failure.ts'
import { type Bearer, findVisibleAccount, findVisibleUser } from './bearer.ts'
import type { PlatformContext } from './context.ts'
import { joinUrl } from './meeting-links.ts'
import { personalMeeting, randomMeetingNumber } from './meeting-number.ts'
import { passcodeOf } from './passcodes.ts'
import { hashPassword } from './passwords.ts'
import type { AccountRecord } from './store/accounts.ts'
import { findDomainAccount, replaceDomains } from './store/domains.ts'
import { insertMeeting } from './store/meetings.ts'
import { deleteSessionsOf } from './store/sessions.ts'
import {
  insertUser,
  markUserRemoved,
  type UserChanges,
  updateUser as updateInStore,
} from './store/user-changes.ts'
import { domainOf, type Role, type UserRecord } from './store/user-record.ts'
import {
  countUsers,
  findUser,
  findUserByEmail,
  findUserHome,
  findUserOfAccount,
  isPmiTaken,
  listUsers as listFromStore,
  listPendingUsers,
} from './store/users.ts'

/** What a user is made of, verified where nothing is said; `passwordHash` comes from `hashPassword`. */
export type UserParts = Pick<
  UserRecord,
  'accountId' | 'email' | 'role' | 'firstName' | 'lastName'
> &
  Partial<Pick<UserRecord, 'displayName' | 'type' | 'verified'>> & { passwordHash: string }

/** Makes a user in the caller's transaction. Throws `UniqueViolation` for a taken email or a second owner. */
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
    pmi: await freeMeetingNumber(ctx, trx),
    timezone: 'UTC',
    language: 'en-US',
    dept: '',
    company: '',
    jobTitle: '',
    location: '',
    createdAt: ctx.clock.now(),
    lastLoginAt: null,
  }
  await insertUser(trx, { ...user, passwordHash })
  await insertMeeting(trx, personalMeeting(ctx, user))
  return user
}

/** Two transactions at once could take the same, of nine thousand million: then one of them fails. */
async function freeMeetingNumber(
  { random }: Pick<PlatformContext, 'random'>,
  trx: Db,
): Promise<number> {
  for (;;) {
    const number = randomMeetingNumber(random, 10)
    if (!(await isPmiTaken(trx, number))) return number
  }
}

/** Changes a user. With another password, whoever signed in with the former one is signed out. */
export async function changeUser(trx: Db, id: string, changes: UserChanges): Promise<void> {
  await updateInStore(trx, id, changes)
  if (changes.passwordHash !== undefined) await deleteSessionsOf(trx, id)
}

/**
 * Removes a user from the account and frees the email. The row stays: tokens of the user are refused
 * because of it (OAuth spec §7, 4735). False when there is no such user.
 */
export async function dismissUser(
  ctx: Pick<PlatformContext, 'clock'>,
  trx: Db,
  id: string,
): Promise<boolean> {
  await deleteSessionsOf(trx, id)
  return markUserRemoved(trx, id, ctx.clock.now())
}

/** Whether the user may decide for the whole account. */
export const isAdmin = ({ role }: Pick<UserRecord, 'role'>): boolean => role !== 'member'

/** Throws FORBIDDEN with this sentence for a member; no role is that of an account token. */
export function requireAdmin({ role }: { readonly role: Role | null }, sentence: string): void {
  if (role !== null && !isAdmin({ role })) fail('FORBIDDEN', sentence)
}

/** What an answer about a user says beyond the user. */
export interface UserSurroundings {
  readonly account: Pick<AccountRecord, 'name'>
  /** With the password of the meeting where the user asks herself. */
  readonly personalMeetingUrl: string
}

/** The account and the personal meeting of a user, as the bearer may see them. */
export async function describeSurroundings(
  ctx: Pick<PlatformContext, 'config' | 'db' | 'encryption'>,
  bearer: Bearer,
  user: UserRecord,
): Promise<UserSurroundings> {
  const home = await findUserHome(ctx.db.read, user)
  const passcode =
    bearer.userId === user.id && home?.meeting ? passcodeOf(ctx, home.meeting) : undefined
  return {
    account: { name: home?.accountName ?? '' },
    personalMeetingUrl: joinUrl(ctx.config, user.pmi, passcode),
  }
}

/** Changes what a user says about herself; what is undefined stays as it is. */
export async function updateUser(
  ctx: Pick<PlatformContext, 'db'>,
  user: UserRecord,
  changes: z.output<typeof ProfileChanges>,
): Promise<void> {
  if (Object.values(changes).every((value) => value === undefined)) return
  const { first_name, last_name, display_name, job_title, ...rest } = changes
  const named = { firstName: first_name, lastName: last_name, displayName: display_name }
  await ctx.db.write((trx) =>
    updateInStore(trx, user.id, { ...rest, ...named, jobTitle: job_title }),
  )
}

/** What part of an account's users is asked for. */
export interface UserListing {
  readonly account_id?: string | undefined
  readonly status: 'active' | 'inactive' | 'pending'
  readonly page_size: number
  readonly next_page_token: string
}

/** A page of the users of an account. */
export interface AccountUsers extends ListPage<UserRecord> {
  readonly account: AccountRecord
  readonly total: number
}

/** The users of an account that the bearer's scopes reach, page by page. Throws validation_failed. */
export async function listUsers(
  { db }: Pick<PlatformContext, 'db'>,
  bearer: Bearer,
  { account_id, status, page_size, next_page_token }: UserListing,
): Promise<AccountUsers> {
  const account = await findVisibleAccount({ db }, bearer, account_id)
  const list = `users ${account.id} ${status}`
  const [after = ''] = placeOf(list, next_page_token, textPlace) ?? []
  // Removed users are not found.
  if (status === 'inactive') return { account, items: [], total: 0, nextPageToken: '' }
  const verified = status === 'active' ? 1 : 0
  const found = await listFromStore(db.read, account.id, { verified, after, limit: page_size + 1 })
  const total = await countUsers(db.read, account.id, verified)
  return { account, total, ...pageOf(list, found, page_size, ({ id }) => [id]) }
}

/** No password has this for its hash: who has none cannot sign in. */
const noPassword = ''

/**
 * Adds a member to an account that the bearer's scopes reach. The member is pending, and cannot sign in,
 * until the email is proven: by its domain, which the operator has given to the account, or by the
 * operator. Of an email that another account's user has nothing is told, and that user stays as they
 * are. Throws user_exists for one of this account, and UNAVAILABLE when too many passwords wait to be
 * hashed.
 */
export async function createUser(
  ctx: Pick<PlatformContext, 'clock' | 'db' | 'encryption' | 'network' | 'random'>,
  bearer: Bearer,
  { user_info, account_id }: z.output<typeof NewUser>,
): Promise<UserRecord> {
  const { id: accountId } = await findVisibleAccount(ctx, bearer, account_id)
  const { email, password, type } = user_info
  if (await findUserOfAccount(ctx.db.read, email, accountId)) fail('user_exists')
  const passwordHash =
    password === undefined
      ? noPassword
      : await hashPassword(password, ctx.random, { source: `account ${accountId}` })
  const names = {
    firstName: user_info.first_name,
    lastName: user_info.last_name,
    displayName: user_info.display_name,
  }
  const user: UserParts = { ...names, accountId, email, type, role: 'member', passwordHash }
  const verified = (await isProven(ctx, email, accountId)) ? 1 : 0
  const make = async (trx: Db, verified: 0 | 1) => {
    const made = await makeUser(ctx, trx, { ...user, verified })
    const [who, whom] = [memberParty(bearer), userParty(made.id)]
    await record(ctx, trx, { action: 'user.created', who, whom, accountId })
    return made
  }
  try {
    return await ctx.db.write((trx) => make(trx, verified))
  } catch (error) {
    // A verified user got the email in this very moment: of another account, or of this one.
    if (takenBy(error) === 'account' || verified === 0) fail('user_exists')
    return await ctx.db
      .write((trx) => make(trx, 0))
      .catch((again) => {
        takenBy(again)
        return fail('user_exists')
      })
  }
}

/** Whose user has the email: the account's, or anybody's. Throws any other error. */
function takenBy(error: unknown): 'account' | 'anybody' {
  if (!(error instanceof UniqueViolation) || !error.columns.includes('email_key')) throw error
  return error.columns.includes('account_id') ? 'account' : 'anybody'
}

/** Whether the account may give the email out, and no verified user has it. */
async function isProven(
  { db }: Pick<PlatformContext, 'db'>,
  email: string,
  accountId: string,
): Promise<boolean> {
  if ((await findDomainAccount(db.read, domainOf(email))) !== accountId) return false
  return (await findUserByEmail(db.read, email)) === undefined
}

/** Gives an account its domains, in the caller's transaction, which proves emails of its pending users. */
export async function assignDomains(
  trx: Db,
  accountId: string,
  domains: readonly string[],
): Promise<void> {
  await replaceDomains(trx, accountId, domains)
  for (const { id, email } of await listPendingUsers(trx, accountId)) {
    if (!domains.includes(domainOf(email))) continue
    if (!(await findUserByEmail(trx, email))) await updateInStore(trx, id, { verified: 1 })
  }
}

/**
 * Removes a user whom the bearer's scopes reach from the account; the owner and `me` stay.
 * Throws insufficient_scope, user_not_found, validation_failed.
 */
export async function removeUser(
  ctx: Pick<PlatformContext, 'clock' | 'db' | 'encryption' | 'network' | 'random'>,
  bearer: Bearer,
  name: string,
): Promise<void> {
  const { id } = await findVisibleUser(ctx, bearer, name)
  if (name === 'me') refuse('me cannot be removed; name the user by the id')
  const outcome = await ctx.db.write(async (trx) => {
    const user = await findUser(trx, id)
    if (user?.role === 'owner') return 'owner'
    if (!user || !(await dismissUser(ctx, trx, id))) return 'unknown'
    const [who, whom] = [memberParty(bearer), userParty(id)]
    await record(ctx, trx, { action: 'user.removed', who, whom, accountId: user.accountId })
    return 'removed'
  })
  if (outcome === 'owner') refuse('the owner of an account cannot be removed')
  if (outcome === 'unknown') fail('user_not_found')
}

function refuse(message: string): never {
  failField('path', 'userId', message)
}
