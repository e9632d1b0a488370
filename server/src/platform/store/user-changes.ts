import { type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { emailKey, profileFields, type UserRecord, userFields } from './user-record.ts'

const changeable = [...profileFields, 'email', 'role', 'verified', 'passwordHash'] as const

/** Undefined fields keep their values. */
export type UserChanges = {
  [K in (typeof changeable)[number]]?: Fields<'users'>[K] | undefined
}

/**
 * Stores a user. Throws `UniqueViolation` if the account already has the email, if both this and
 * another user with the email are verified, or if the account has an owner already.
 */
export const insertUser = (
  trx: Db,
  user: Omit<UserRecord, 'disabledAt'> & { passwordHash: string },
) =>
  trx
    .insertInto('users')
    .values({
      ...toRow(user, [...userFields, 'passwordHash']),
      email_key: emailKey(user.email),
    })
    .execute()

/** Throws `UniqueViolation` for a taken email or a second owner. */
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

/** Records a sign-in and returns the user's account id, or undefined if the user does not exist. */
export async function updateLastLogin(trx: Db, id: string, now: number) {
  const row = await trx
    .updateTable('users')
    .set({ last_login_at: now })
    .where('id', '=', id)
    .returning('account_id')
    .executeTakeFirst()
  return row?.account_id
}

/** Marks a user as removed. Other tables refer to the row. Returns undefined if not found. */
export const markUserRemoved = (trx: Db, id: string, now: number) =>
  trx
    .updateTable('users')
    .set({ removed_at: now })
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** Disables a user, or enables it if `at` is null. Returns undefined if nothing changed. */
export const setUserDisabled = (trx: Db, id: string, at: number | null) =>
  trx
    .updateTable('users')
    .set({ disabled_at: at })
    .where('id', '=', id)
    .where('disabled_at', at === null ? 'is not' : 'is', null)
    .returning('id')
    .executeTakeFirst()
