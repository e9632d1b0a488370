import { fail } from '../errors/failure.ts'
import type { UserRecord } from './store/user-record.ts'

export const isAdmin = ({ role }: Pick<UserRecord, 'role'>): boolean => role !== 'member'

/** Throws 403 with this message if the user is a member. */
export function requireAdmin(user: Pick<UserRecord, 'role'>, sentence: string): void {
  if (!isAdmin(user)) fail(403, sentence)
}
