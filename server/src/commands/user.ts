import { Command } from 'commander'
import { disableUser, enableUser, listUsersOfAll } from '../platform/operator.ts'
import { statusOf } from '../platform/serialize/user.ts'
import type { ListedUser } from '../platform/store/all-users.ts'
import { isoTime } from '../runtime/time.ts'
import { acting, reasonOption } from './parts/options.ts'
import { listCommand } from './parts/pages.ts'

const present = (user: ListedUser) => ({
  id: user.id,
  email: user.email,
  accountId: user.accountId,
  accountName: user.accountName,
  role: user.role,
  status: statusOf(user),
  createdAt: isoTime(user.createdAt),
  lastLoginAt: user.lastLoginAt === null ? null : isoTime(user.lastLoginAt),
  disabledAt: user.disabledAt === null ? null : isoTime(user.disabledAt),
})

const list = listCommand(
  'Lists the users of all accounts.',
  'disabled',
  (ctx, { only, ...page }) => listUsersOfAll(ctx, { ...page, disabled: only }),
  {
    name: 'users',
    head: ['user', 'email', 'account', 'role', 'status', 'last sign-in'],
    row: (user) => {
      const { id, email, accountName, role, status, lastLoginAt } = present(user)
      return [id, email, accountName, role, status, lastLoginAt ?? '-']
    },
    present,
    placeOf: ({ id }) => id,
  },
)

const act = (name: string, description: string) =>
  new Command(name)
    .description(description)
    .argument('<user>', 'email or id')
    .addOption(reasonOption("the owner of the user's account reads it in the audit log"))

const presentBriefly = ({ id, email, accountId, accountName }: ListedUser) => ({
  id,
  email,
  accountId,
  accountName,
})

const disable = acting(
  act(
    'disable',
    'Disables a user: signed out at once, no sign-in, and tokens are refused with 4735 from the next request on.',
  ),
  (ctx, user, { reason }) => disableUser(ctx, user, reason),
  ({ email }) => `${email} is disabled.`,
  { present: presentBriefly },
)

const enable = acting(
  act('enable', 'Enables a user again. What the user has allowed apps works as before.'),
  (ctx, user, { reason }) => enableUser(ctx, user, reason),
  ({ email }) => `${email} is enabled.`,
  { present: presentBriefly },
)

/** `user list|disable|enable`: what an operator decides of users. */
export const userCommand = new Command('user')
  .description('Lists, disables and enables users.')
  .addCommand(list)
  .addCommand(disable)
  .addCommand(enable)
