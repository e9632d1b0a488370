import { columnsOf, type Fields } from '../../db/fields.ts'
/** What a user may do in the account. Every account has one owner at most. */
export type Role = UserRecord['role']

/** What a user, or the operator, may say another way later. */
export const profileFields = [
  'firstName',
  'lastName',
  'displayName',
  'timezone',
  'language',
  'dept',
  'company',
  'jobTitle',
  'location',
] as const

/** All fields that a user is made with, but the password. */
export const userFields = [
  'id',
  'accountId',
  'email',
  'role',
  'type',
  'verified',
  'pmi',
  'createdAt',
  'lastLoginAt',
  ...profileFields,
] as const

/** A user of an account, without the password. */
export type UserRecord = Pick<Fields<'users'>, (typeof userFields)[number] | 'disabledAt'>

export const userColumns = columnsOf('users', [...userFields, 'disabledAt'])

/** An email address as it is compared: without case. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase()

/** The domain of an email address, as it is compared. */
export const domainOf = (email: string): string => emailKey(email.slice(email.lastIndexOf('@') + 1))
