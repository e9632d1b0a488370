import type { User } from '@skillpass/contract'
import type { z } from 'zod'
import type { UserRecord } from './store/users.ts'

const roles = { owner: 'Owner', admin: 'Admin', member: 'Member' } as const

/** A user in the shape of the contract. */
export const presentUser = (user: UserRecord): z.output<typeof User> => ({
  id: user.id,
  account_id: user.accountId,
  email: user.email,
  first_name: user.firstName,
  last_name: user.lastName,
  display_name: [user.firstName, user.lastName].filter((name) => name !== '').join(' '),
  role_name: roles[user.role],
  status: 'active',
  created_at: new Date(user.createdAt).toISOString(),
  last_login_time: user.lastLoginAt === null ? null : new Date(user.lastLoginAt).toISOString(),
})
