import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'

/** What a user may do in the account. Every account has one owner at most. */
export type Role = 'owner' | 'admin' | 'member'

/** What a user says about herself; empty where she has not. */
export interface Profile {
  firstName: string
  lastName: string
  /** Empty where the two names stand for it. */
  displayName: string
  /** An IANA name. */
  timezone: string
  /** A BCP 47 tag. */
  language: string
  dept: string
  company: string
  jobTitle: string
  location: string
}

/** A user of an account, without the password. Times are milliseconds since 1970. */
export interface UserRecord extends Profile {
  id: string
  accountId: string
  email: string
  role: Role
  /** 1 is basic, 2 licensed. */
  type: 1 | 2
  /** Number of the personal meeting. */
  pmi: number
  createdAt: number
  lastLoginAt: number | null
}

/** What may be changed of a user; what is undefined stays as it is. */
export type UserChanges = {
  [K in keyof Profile | 'email' | 'role' | 'passwordHash']?:
    | (UserRecord & { passwordHash: string })[K]
    | undefined
}

/** A user's columns, for whoever joins the table. */
export const userColumns = [
  'users.id as id',
  'users.account_id as accountId',
  'users.email as email',
  'users.role as role',
  'users.first_name as firstName',
  'users.last_name as lastName',
  'users.created_at as createdAt',
  'users.last_login_at as lastLoginAt',
  'users.type as type',
  'users.pmi as pmi',
  'users.display_name as displayName',
  'users.timezone as timezone',
  'users.language as language',
  'users.dept as dept',
  'users.company as company',
  'users.job_title as jobTitle',
  'users.location as location',
] as const

/** An email address as it is compared: without case. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase()

/** Keeps a new user. Throws `UniqueViolation` for a taken email or a second owner. */
export async function insertUser(
  trx: Db,
  user: UserRecord & { passwordHash: string },
): Promise<void> {
  await trx
    .insertInto('users')
    .values({
      id: user.id,
      account_id: user.accountId,
      email: user.email,
      email_key: emailKey(user.email),
      password_hash: user.passwordHash,
      role: user.role,
      type: user.type,
      pmi: user.pmi,
      first_name: user.firstName,
      last_name: user.lastName,
      display_name: user.displayName,
      timezone: user.timezone,
      language: user.language,
      dept: user.dept,
      company: user.company,
      job_title: user.jobTitle,
      location: user.location,
      created_at: user.createdAt,
      last_login_at: user.lastLoginAt,
      removed_at: null,
    })
    .execute()
}

/** Changes what is given. Throws `UniqueViolation` for a taken email or a second owner. */
export async function updateUser(trx: Db, id: string, changes: UserChanges): Promise<void> {
  const { email } = changes
  const columns = {
    email,
    email_key: email === undefined ? undefined : emailKey(email),
    role: changes.role,
    password_hash: changes.passwordHash,
    first_name: changes.firstName,
    last_name: changes.lastName,
    display_name: changes.displayName,
    timezone: changes.timezone,
    language: changes.language,
    dept: changes.dept,
    company: changes.company,
    job_title: changes.jobTitle,
    location: changes.location,
  }
  const set = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
  if (Object.keys(set).length === 0) return
  await trx.updateTable('users').set(set).where('id', '=', id).execute()
}

/** Notes a sign-in. */
export async function updateLastLogin(trx: Db, id: string, now: number): Promise<void> {
  await trx.updateTable('users').set({ last_login_at: now }).where('id', '=', id).execute()
}

/** Marks the user as removed; the row stays for what refers to it. False when there is none. */
export async function markUserRemoved(trx: Db, id: string, now: number): Promise<boolean> {
  const row = await trx
    .updateTable('users')
    .set({ removed_at: now })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The user with this id, unless removed. */
export async function findUser(db: Db, id: string): Promise<UserRecord | undefined> {
  const [row] = await byId(db, { id })
  return row
}

const byId = prepared((db, { id }: { id: string }) =>
  db.selectFrom('users').select(userColumns).where('id', '=', id).where('removed_at', 'is', null),
)

/** The user with this email, unless removed; with the hash of the password. */
export async function findUserByEmail(
  db: Db,
  email: string,
): Promise<(UserRecord & { passwordHash: string }) | undefined> {
  const [row] = await byEmail(db, { key: emailKey(email) })
  return row
}

const byEmail = prepared((db, { key }: { key: string }) =>
  db
    .selectFrom('users')
    .select([...userColumns, 'password_hash as passwordHash'])
    .where('email_key', '=', key)
    .where('removed_at', 'is', null),
)

/** Whether the number is that of a user's personal meeting, even of one who was removed. */
export async function isPmiTaken(db: Db, pmi: number): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('pmi', '=', pmi).executeTakeFirst()
  return row !== undefined
}

/** What stands around a user: the name of the account and the password of the personal meeting. */
export interface UserHome {
  accountName: string
  /** Null where the meeting was deleted. */
  meetingPassword: string | null
}

/** The account and the personal meeting of a user. */
export async function findUserHome(
  db: Db,
  { accountId, pmi }: Pick<UserRecord, 'accountId' | 'pmi'>,
): Promise<UserHome | undefined> {
  const [row] = await homeOf(db, { accountId, pmi })
  return row
}

const homeOf = prepared((db, { accountId, pmi }: { accountId: string; pmi: number }) =>
  db
    .selectFrom('accounts')
    .leftJoin('meetings', (join) =>
      join.on('meetings.id', '=', pmi).on('meetings.deleted_at', 'is', null),
    )
    .select(['accounts.name as accountName', 'meetings.password as meetingPassword'])
    .where('accounts.id', '=', accountId),
)

/** Users of the account in the order of their ids, from the one after `after` on. */
export async function listUsers(
  db: Db,
  accountId: string,
  { after, limit }: { after: string; limit: number },
): Promise<UserRecord[]> {
  return db
    .selectFrom('users')
    .select(userColumns)
    .where('account_id', '=', accountId)
    .where('id', '>', after)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** How many users the account has. */
export async function countUsers(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** The owner of the account. */
export async function findOwner(db: Db, accountId: string): Promise<UserRecord | undefined> {
  const [row] = await ownerOf(db, { accountId })
  return row
}

const ownerOf = prepared((db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('users')
    .select(userColumns)
    .where('account_id', '=', accountId)
    // As the index has it that keeps it to one.
    .where('role', '=', sql.lit('owner'))
    .where('removed_at', 'is', null),
)

/** The owner of the account; where it has none, its eldest admin, or else its eldest user. */
export async function findHead(db: Db, accountId: string): Promise<UserRecord | undefined> {
  const owner = await findOwner(db, accountId)
  if (owner) return owner
  const [row] = await eldestOf(db, { accountId })
  return row
}

const eldestOf = prepared((db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('users')
    .select(userColumns)
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .orderBy((eb) => eb.case('role').when('admin').then(0).else(1).end())
    .orderBy('created_at')
    .orderBy('id')
    .limit(1),
)
