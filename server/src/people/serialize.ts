import {
  type CreatedUser,
  type ListedUser,
  type User,
  UserSettings,
  userSettings,
} from '@skillpass/contract'
import type { z } from 'zod'
import { isoTime } from '../runtime/time.ts'
import { profileFields, type UserRecord } from '../store/platform/users.ts'
import { toSnake } from '../text/case.ts'

const roles = { owner: 'Owner', admin: 'Admin', member: 'Member' } as const

export const serializeListedUser = (
  user: UserRecord,
  accountName: string,
): z.output<typeof ListedUser> => ({
  ...toSnake(user, ['id', 'accountId', 'email', 'type', 'pmi', 'verified', ...profileFields]),
  account_name: accountName,
  display_name: displayNameOf(user),
  role_name: roles[user.role],
  status: statusOf(user),
  pic_url: '',
  created_at: isoTime(user.createdAt),
  last_login_time: user.lastLoginAt === null ? null : isoTime(user.lastLoginAt),
})

export const serializeUser = (
  user: UserRecord,
  { accountName, personalMeetingUrl }: Record<'accountName' | 'personalMeetingUrl', string>,
): z.output<typeof User> => ({
  ...serializeListedUser(user, accountName),
  personal_meeting_url: personalMeetingUrl,
})

export const serializeCreatedUser = (user: UserRecord): z.output<typeof CreatedUser> =>
  toSnake(user, ['id', 'email', 'firstName', 'lastName', 'type'])

export function statusOf({ verified, disabledAt }: Pick<UserRecord, 'verified' | 'disabledAt'>) {
  if (disabledAt !== null) return 'inactive'
  return verified === 1 ? 'active' : 'pending'
}

/** Returns the display name, otherwise first and last name, otherwise the email before the @. */
export const displayNameOf = ({ displayName, firstName, lastName, email }: UserRecord): string =>
  displayName ||
  [firstName, lastName].filter((name) => name !== '').join(' ') ||
  email.slice(0, email.lastIndexOf('@'))

/** Returns the settings with these names, separated by commas, or all settings. */
export function serializeUserSettings(names: string): z.output<typeof UserSettings> {
  const named = names.split(',').map((name) => name.trim())
  const sections = Object.entries(userSettings).map(([section, values]) => {
    const chosen = Object.entries(values).filter(([name]) => named.includes(name))
    return [section, chosen.length > 0 ? Object.fromEntries(chosen) : undefined]
  })
  return names === '' ? userSettings : UserSettings.parse(Object.fromEntries(sections))
}
