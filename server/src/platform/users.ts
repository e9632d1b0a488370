import type { NewUser, ProfileChanges, ScopeRequirement } from '@skillpass/contract'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { UniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import { fail, failField } from '../errors.ts'
import { type ListPage, pageOf, placeOf, textPlace } from '../page-token.ts'
import { type Bearer, findVisibleAccount, findVisibleUser } from './bearer.ts'
import { joinUrl } from './meeting-links.ts'
import { personalMeeting, randomMeetingNumber } from './meeting-number.ts'
import { hashNewPassword } from './passwords.ts'
import type { AccountRecord } from './store/accounts.ts'
import { insertMeeting } from './store/meetings.ts'
import { deleteSessionsOf } from './store/sessions.ts'
import {
  countUsers,
  findUser,
  findUserByEmail,
  findUserHome,
  insertUser,
  isPmiTaken,
  listUsers as listFromStore,
  markUserRemoved,
  type Role,
  type UserChanges,
  type UserRecord,
  updateUser as updateInStore,
} from './store/users.ts'

/** What a user is made of; `passwordHash` comes from `hashPassword`. */
export type UserParts = Pick<
  UserRecord,
  'accountId' | 'email' | 'role' | 'firstName' | 'lastName'
> &
  Partial<Pick<UserRecord, 'displayName' | 'type'>> & { passwordHash: string }

/** Makes a user in the caller's transaction. Throws `UniqueViolation` for a taken email or a second owner. */
export async function makeUser(
  ctx: Pick<Context, 'clock' | 'random'>,
  trx: Db,
  input: UserParts,
): Promise<UserRecord> {
  const { passwordHash, ...rest } = input
  const user: UserRecord = {
    type: 1,
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
async function freeMeetingNumber({ random }: Pick<Context, 'random'>, trx: Db): Promise<number> {
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
  ctx: Pick<Context, 'clock'>,
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
export interface Surroundings {
  readonly account: Pick<AccountRecord, 'name'>
  /** With the password of the meeting where the user asks herself. */
  readonly personalMeetingUrl: string
}

/** The account and the personal meeting of a user, as the bearer may see them. */
export async function describeSurroundings(
  ctx: Pick<Context, 'config' | 'db'>,
  bearer: Bearer,
  user: UserRecord,
): Promise<Surroundings> {
  const home = await findUserHome(ctx.db.read, user)
  const password = bearer.userId === user.id ? home?.meetingPassword : undefined
  return {
    account: { name: home?.accountName ?? '' },
    personalMeetingUrl: joinUrl(ctx.config, user.pmi, password),
  }
}

/** Changes what a user says about herself; what is undefined stays as it is. */
export async function updateUser(
  ctx: Pick<Context, 'db'>,
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
export interface UserPage extends ListPage<UserRecord> {
  readonly account: AccountRecord
  readonly total: number
}

/** The users of an account that the bearer's scopes reach, page by page. Throws validation_failed. */
export async function listUsers(
  { db }: Pick<Context, 'db'>,
  bearer: Bearer,
  { account_id, status, page_size, next_page_token }: UserListing,
  requirement: ScopeRequirement,
): Promise<UserPage> {
  const account = await findVisibleAccount({ db }, bearer, requirement, account_id)
  const list = `users ${account.id} ${status}`
  const [after = ''] = placeOf(list, next_page_token, textPlace) ?? []
  // Whoever is there is active.
  if (status !== 'active') return { account, items: [], total: 0, nextPageToken: '' }
  const found = await listFromStore(db.read, account.id, { after, limit: page_size + 1 })
  const total = await countUsers(db.read, account.id)
  return { account, total, ...pageOf(list, found, page_size, ({ id }) => [id]) }
}

/** No password has this for its hash: who has none cannot sign in. */
const noPassword = ''

/**
 * Adds a member to an account that the bearer's scopes reach. Throws user_exists, and UNAVAILABLE
 * when too many passwords wait to be hashed.
 */
export async function createUser(
  ctx: Pick<Context, 'clock' | 'db' | 'random'>,
  bearer: Bearer,
  { user_info, account_id }: z.output<typeof NewUser>,
  requirement: ScopeRequirement,
): Promise<UserRecord> {
  const { id: accountId } = await findVisibleAccount(ctx, bearer, requirement, account_id)
  const { email, password, type } = user_info
  if (await findUserByEmail(ctx.db.read, email)) fail('user_exists')
  const passwordHash =
    password === undefined ? noPassword : await hashNewPassword(password, ctx.random)
  const names = {
    firstName: user_info.first_name,
    lastName: user_info.last_name,
    displayName: user_info.display_name,
  }
  const user: UserParts = { ...names, accountId, email, type, role: 'member', passwordHash }
  try {
    return await ctx.db.write((trx) => makeUser(ctx, trx, user))
  } catch (error) {
    if (error instanceof UniqueViolation && error.columns.includes('email_key')) fail('user_exists')
    throw error
  }
}

/**
 * Removes a user whom the bearer's scopes reach from the account; the owner and `me` stay.
 * Throws insufficient_scope, user_not_found, validation_failed.
 */
export async function removeUser(
  ctx: Pick<Context, 'clock' | 'db'>,
  bearer: Bearer,
  name: string,
  requirement: ScopeRequirement,
): Promise<void> {
  const { id } = await findVisibleUser(ctx, bearer, name, requirement)
  if (name === 'me') refuse('me cannot be removed; name the user by the id')
  const outcome = await ctx.db.write(async (trx) => {
    const user = await findUser(trx, id)
    if (user?.role === 'owner') return 'owner'
    return (await dismissUser(ctx, trx, id)) ? 'removed' : 'unknown'
  })
  if (outcome === 'owner') refuse('the owner of an account cannot be removed')
  if (outcome === 'unknown') fail('user_not_found')
}

function refuse(message: string): never {
  failField('path', 'userId', message)
}
