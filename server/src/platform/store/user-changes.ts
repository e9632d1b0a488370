import type { Db } from '../../db/open.ts'
import { emailKey, type Profile, type UserRecord } from './user-record.ts'

/** What may be changed of a user; what is undefined stays as it is. */
export type UserChanges = {
  [K in keyof Profile | 'email' | 'role' | 'verified' | 'passwordHash']?:
    | (UserRecord & { passwordHash: string })[K]
    | undefined
}

/**
 * Keeps a new user. Throws `UniqueViolation` for an email that the account has, or a verified user where
 * this one is verified too, and for a second owner.
 */
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
      verified: user.verified,
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
    verified: changes.verified,
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

/** Notes a sign-in and gives the user's account; nothing where there is no such user. */
export async function updateLastLogin(
  trx: Db,
  id: string,
  now: number,
): Promise<string | undefined> {
  const row = await trx
    .updateTable('users')
    .set({ last_login_at: now })
    .where('id', '=', id)
    .returning('account_id')
    .executeTakeFirst()
  return row?.account_id
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
