import type { CreatedUser, ListedUser, User } from '@skillpass/contract'
import type { z } from 'zod'
import { isoTime } from '../../runtime/time.ts'
import type { UserRecord } from '../store/user-record.ts'
import type { UserStatus } from '../store/users.ts'
import type { UserSurroundings } from '../users.ts'

const roles = { owner: 'Owner', admin: 'Admin', member: 'Member' } as const

export const serializeListedUser = (
  user: UserRecord,
  accountName: string,
): z.output<typeof ListedUser> => ({
  id: user.id,
  account_id: user.accountId,
  account_name: accountName,
  email: user.email,
  first_name: user.firstName,
  last_name: user.lastName,
  display_name: displayNameOf(user),
  type: user.type,
  role_name: roles[user.role],
  status: statusOf(user),
  pmi: user.pmi,
  timezone: user.timezone,
  language: user.language,
  dept: user.dept,
  company: user.company,
  job_title: user.jobTitle,
  location: user.location,
  pic_url: '',
  verified: user.verified,
  created_at: isoTime(user.createdAt),
  last_login_time: user.lastLoginAt === null ? null : isoTime(user.lastLoginAt),
})

export const serializeUser = (
  user: UserRecord,
  { accountName, personalMeetingUrl }: UserSurroundings,
): z.output<typeof User> => ({
  ...serializeListedUser(user, accountName),
  personal_meeting_url: personalMeetingUrl,
})

export const serializeCreatedUser = (user: UserRecord): z.output<typeof CreatedUser> => ({
  id: user.id,
  email: user.email,
  first_name: user.firstName,
  last_name: user.lastName,
  type: user.type,
})

export const statusOf = ({
  verified,
  disabledAt,
}: Pick<UserRecord, 'verified' | 'disabledAt'>): UserStatus => {
  if (disabledAt !== null) return 'inactive'
  return verified === 1 ? 'active' : 'pending'
}

/** A user's name for others: the own word, or else the two names, or what stands before the @. */
export const displayNameOf = ({ displayName, firstName, lastName, email }: UserRecord): string =>
  displayName ||
  [firstName, lastName].filter((name) => name !== '').join(' ') ||
  email.slice(0, email.lastIndexOf('@'))
