import type { UserRecord } from './store/user-record.ts'

export const isAdmin = ({ role }: Pick<UserRecord, 'role'>): boolean => role !== 'member'
