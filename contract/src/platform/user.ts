import { z } from 'zod'
import { demo } from '../demo.ts'
import { Instant, string } from '../schemas.ts'
import { text } from '../text.ts'
import { pageFields, totalRecords } from './page.ts'

/** Names an account in a request about its users. */
export const AccountId = text(64).meta({
  description: 'The own account, or with a master scope a sub-account. By default the own.',
  example: demo.account.id,
})

/** Names a user in a path. */
export const UserPath = z.object({
  userId: z.string().min(1).meta({
    description:
      '`me` for the user of the token, an id, or an email in any case; another user than the own needs admin scopes.',
    example: 'me',
  }),
})

/** What a user may be licensed for. */
export const UserType = z
  .literal([1, 2])
  .meta({ description: '1 is a basic user, 2 a licensed one.', example: 1 })

/** What every answer about a user says. */
const userFields = {
  id: string('The id.', demo.users.owner.id),
  account_id: string('Its account.', demo.account.id),
  account_name: string('Name of its account.', 'Acme'),
  email: string('Signs in with it.', demo.users.owner.email),
  first_name: string('Given name.', 'Olga'),
  last_name: string('Family name.', 'Owner'),
  display_name: string('As others see it: the two names where nothing else was set.', 'Olga Owner'),
  type: UserType,
  role_name: z
    .enum(['Owner', 'Admin', 'Member'])
    .meta({ description: 'What the user may do in the account.', example: 'Owner' }),
  status: z.enum(['active', 'inactive', 'pending']).meta({
    description:
      '`pending`: nobody has proven the email yet; `inactive`: the operator has disabled the user. Neither can sign in. Removed users are not found.',
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
  location: string('Where the user works.', 'Berlin'),
  pic_url: string('Empty: users have no pictures here.', ''),
  verified: z.literal([0, 1]).meta({
    description:
      '1: the email is proven, by the operator or because its domain is the account’s. Trust no email of a user with 0.',
    example: 1,
  }),
  created_at: Instant,
  last_login_time: Instant.nullable().meta({ description: 'When the user last signed in.' }),
}

export const User = z
  .object({
    ...userFields,
    personal_meeting_url: string(
      'Leads into the personal meeting; with its password for the user alone.',
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
    users: z.array(ListedUser).meta({ description: 'The users of this page.' }),
  })
  .meta({ id: 'UserPage', description: 'A page of the users of an account.' })
