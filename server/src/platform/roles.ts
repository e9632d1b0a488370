import { fail } from '../errors/failure.ts'
import type { Role, UserRecord } from './store/user-record.ts'

/** Whether the user may decide for the whole account. */
export const isAdmin = ({ role }: Pick<UserRecord, 'role'>): boolean => role !== 'member'

/** Throws 403 with this sentence for a member; no role is that of an account token. */
export function requireAdmin({ role }: { readonly role: Role | null }, sentence: string): void {
  if (role !== null && !isAdmin({ role })) fail(403, sentence)
}
