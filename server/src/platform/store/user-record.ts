import { columnsOf } from '../../db/columns.ts'
/** What a user may do in the account. Every account has one owner at most. */
export type Role = 'owner' | 'admin' | 'member'

/** What a user says about herself; empty where she has not. */
export interface Profile {
  firstName: string
  lastName: string
  /** Empty where the two names stand for it. */
  displayName: string
  /** An IANA name. */
  timezone: string
  /** A BCP 47 tag. */
  language: string
  dept: string
  company: string
  jobTitle: string
  location: string
}

/** A user of an account, without the password. Times are milliseconds since 1970. */
export interface UserRecord extends Profile {
  id: string
  accountId: string
  email: string
  role: Role
  /** 1 is basic, 2 licensed. */
  type: 1 | 2
  /** 1 where the email is proven: only then the user is active, and signs in. */
  verified: 0 | 1
  /** Number of the personal meeting. */
  pmi: number
  createdAt: number
  lastLoginAt: number | null
}

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
] as const satisfies (keyof Profile)[]

/** Fields of a user that are columns as they are. */
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
] as const satisfies (keyof UserRecord)[]

/** A user's columns, for whoever joins the table. */
export const userColumns = columnsOf('users', ...userFields)

/** An email address as it is compared: without case. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase()

/** The domain of an email address, as it is compared. */
export const domainOf = (email: string): string => emailKey(email.slice(email.lastIndexOf('@') + 1))
