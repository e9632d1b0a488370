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

/** A user's columns, for whoever joins the table. */
export const userColumns = [
  'users.id as id',
  'users.account_id as accountId',
  'users.email as email',
  'users.role as role',
  'users.first_name as firstName',
  'users.last_name as lastName',
  'users.created_at as createdAt',
  'users.last_login_at as lastLoginAt',
  'users.type as type',
  'users.verified as verified',
  'users.pmi as pmi',
  'users.display_name as displayName',
  'users.timezone as timezone',
  'users.language as language',
  'users.dept as dept',
  'users.company as company',
  'users.job_title as jobTitle',
  'users.location as location',
] as const

/** An email address as it is compared: without case. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase()

/** The domain of an email address, as it is compared. */
export const domainOf = (email: string): string => emailKey(email.slice(email.lastIndexOf('@') + 1))
