import { z } from 'zod'
import { demo } from '../demo.ts'
import { doc, Instant, string } from '../schemas.ts'
import { text } from '../text.ts'
import { pageFields, totalRecords } from './page.ts'

export const AccountId = text(64).meta(
  doc('Your account (default) or, with a master scope, one of its sub-accounts.', demo.account.id),
)

export const UserPath = z.object({
  userId: z.string().min(1).meta({
    description:
      '`me` for the user of the token, an id, or an email in any case. Other users require admin scopes.',
    example: 'me',
  }),
})

export const UserType = z
  .literal([1, 2])
  .meta({ description: '1 is a basic user, 2 a licensed user.', example: 1 })

const userFields = {
  id: string('Id of the user.', demo.users.owner.id),
  account_id: string('Id of the account.', demo.account.id),
  account_name: string('Name of the account.', 'Acme'),
  email: string('Email with which the user signs in.', demo.users.owner.email),
  first_name: string('Given name.', 'Olga'),
  last_name: string('Family name.', 'Owner'),
  display_name: string('Display name; first and last name if none was set.', 'Olga Owner'),
  type: UserType,
  role_name: z
    .enum(['Owner', 'Admin', 'Member'])
    .meta({ description: 'Role in the account.', example: 'Owner' }),
  status: z.enum(['active', 'inactive', 'pending']).meta({
    description:
      '`pending`: the email is not verified; `inactive`: the operator disabled the user. Neither can sign in. Removed users return 404.',
    example: 'active',
  }),
  pmi: z.int().min(1_000_000_000).max(9_999_999_999).meta({
    description: 'Number of the personal meeting.',
    example: 4_812_345_678,
    format: 'int64',
  }),
  timezone: string('An IANA time zone.', 'Europe/Berlin'),
  language: string('A BCP 47 language tag.', 'en-US'),
  dept: string('Department.', 'Sales'),
  company: string('Company.', 'Acme Ltd'),
  job_title: string('Job title.', 'Head of Sales'),
  location: string('Place of work.', 'Berlin'),
  pic_url: string('Always empty, because users have no pictures.', ''),
  verified: z.literal([0, 1]).meta({
    description:
      '1 if the email is verified, by the operator or because its domain belongs to the account. Do not trust the email of a user with 0.',
    example: 1,
  }),
  created_at: Instant,
  last_login_time: Instant.nullable().describe('Time of the last sign-in.'),
}

export const User = z
  .object({
    ...userFields,
    personal_meeting_url: string(
      'Address of the personal meeting. Only the user sees it with the passcode.',
      'https://auth.example.com/meetings/4812345678?pwd=a1B2c3',
    ),
  })
  .meta({ id: 'User', description: 'A user of an account.' })

export const ListedUser = z
  .object(userFields)
  .meta({ id: 'ListedUser', description: 'A user in a list of users.' })

export const UserPage = z
  .object({
    ...pageFields,
    total_records: totalRecords,
    users: z.array(ListedUser).describe('The users of this page.'),
  })
  .meta({ id: 'UserPage', description: 'A page of the users of an account.' })
