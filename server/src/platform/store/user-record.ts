import { columnsOf, type Fields } from '../../db/query.ts'

/** A user's role. An account has at most one owner. */
export type Role = UserRecord['role']

/** Fields that the user and the operator can change. */
export const profileFields = [
  ...(['firstName', 'lastName', 'displayName', 'timezone', 'language'] as const),
  ...(['dept', 'company', 'jobTitle', 'location'] as const),
] as const

export const userFields = [
  ...(['id', 'accountId', 'email', 'role', 'type', 'verified', 'pmi'] as const),
  ...(['createdAt', 'lastLoginAt'] as const),
  ...profileFields,
] as const

export type UserRecord = Pick<Fields<'users'>, (typeof userFields)[number] | 'disabledAt'>

export const userColumns = columnsOf('users', [...userFields, 'disabledAt'])

/** Normalizes an email address for comparison, which ignores case. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase()

/** The domain of an email address, normalized for comparison. */
export const domainOf = (email: string): string => emailKey(email.slice(email.lastIndexOf('@') + 1))
