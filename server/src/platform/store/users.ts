import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'

/** What a user may do in the account. Every account has one owner at most. */
export type Role = 'owner' | 'admin' | 'member'

/** A user of an account, without the password. Times are milliseconds since 1970. */
export interface UserRecord {
  id: string
  accountId: string
  email: string
  role: Role
  firstName: string
  lastName: string
  createdAt: number
  lastLoginAt: number | null
}

/** What may be changed of a user; what is undefined stays as it is. */
export interface UserChanges {
  email?: string | undefined
  role?: Role | undefined
  firstName?: string | undefined
  lastName?: string | undefined
  passwordHash?: string | undefined
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
      first_name: user.firstName,
      last_name: user.lastName,
      created_at: user.createdAt,
      last_login_at: user.lastLoginAt,
      removed_at: null,
    })
    .execute()
}

/** Changes what is given. Throws `UniqueViolation` for a taken email or a second owner. */
export async function updateUser(trx: Db, id: string, changes: UserChanges): Promise<void> {
  const { email, role, firstName, lastName, passwordHash } = changes
  const set = {
    ...(email === undefined ? {} : { email, email_key: emailKey(email) }),
    ...(role === undefined ? {} : { role }),
    ...(firstName === undefined ? {} : { first_name: firstName }),
    ...(lastName === undefined ? {} : { last_name: lastName }),
    ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
  }
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
