import { type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { emailKey, profileFields, type UserRecord, userFields } from './user-record.ts'

const changeable = [...profileFields, 'email', 'role', 'verified', 'passwordHash'] as const

/** What may be changed of a user; what is undefined stays as it is. */
export type UserChanges = {
  [K in (typeof changeable)[number]]?: Fields<'users'>[K] | undefined
}

/**
 * Keeps a new user. Throws `UniqueViolation` for an email that the account has, or a verified user where
 * this one is verified too, and for a second owner.
 */
export async function insertUser(
  trx: Db,
  user: Omit<UserRecord, 'disabledAt'> & { passwordHash: string },
): Promise<void> {
  await trx
    .insertInto('users')
    .values({
      ...toRow(user, [...userFields, 'passwordHash']),
      email_key: emailKey(user.email),
    })
    .execute()
}

/** Changes what is given. Throws `UniqueViolation` for a taken email or a second owner. */
export async function updateUser(trx: Db, id: string, changes: UserChanges): Promise<void> {
  const { email } = changes
  const columns = {
    ...toRow(changes, changeable),
    email_key: email === undefined ? undefined : emailKey(email),
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

/** Disables the user, or enables it again where `at` is null; false where that is so already. */
export async function setUserDisabled(trx: Db, id: string, at: number | null): Promise<boolean> {
  const row = await trx
    .updateTable('users')
    .set({ disabled_at: at })
    .where('id', '=', id)
    .where('disabled_at', at === null ? 'is not' : 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
