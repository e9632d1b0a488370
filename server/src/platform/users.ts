import type { Context } from '../context.ts'
import type { Db } from '../db/open.ts'
import { deleteSessionsOf } from './store/sessions.ts'
import {
  insertUser,
  markUserRemoved,
  type UserChanges,
  type UserRecord,
  updateUser,
} from './store/users.ts'

/** What a user is made of; `passwordHash` comes from `hashPassword`. */
export type NewUser = Omit<UserRecord, 'id' | 'createdAt' | 'lastLoginAt'> & {
  passwordHash: string
}

/** Makes a user in the caller's transaction. Throws `UniqueViolation` for a taken email or a second owner. */
export async function createUser(
  ctx: Pick<Context, 'clock' | 'random'>,
  trx: Db,
  input: NewUser,
): Promise<UserRecord> {
  const { passwordHash, ...rest } = input
  const user = { ...rest, id: ctx.random.uuid(), createdAt: ctx.clock.now(), lastLoginAt: null }
  await insertUser(trx, { ...user, passwordHash })
  return user
}

/** Changes a user. With another password, whoever signed in with the former one is signed out. */
export async function changeUser(trx: Db, id: string, changes: UserChanges): Promise<void> {
  await updateUser(trx, id, changes)
  if (changes.passwordHash !== undefined) await deleteSessionsOf(trx, id)
}

/**
 * Removes a user from the account and frees the email. The row stays: tokens of the user are refused
 * because of it (OAuth spec §7, 4735). False when there is no such user.
 */
export async function removeUser(
  ctx: Pick<Context, 'clock'>,
  trx: Db,
  id: string,
): Promise<boolean> {
  await deleteSessionsOf(trx, id)
  return markUserRemoved(trx, id, ctx.clock.now())
}

/** Whether the user may decide for the whole account. */
export const isAdmin = ({ role }: Pick<UserRecord, 'role'>): boolean => role !== 'member'
