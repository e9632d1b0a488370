import { Command, Option } from 'commander'
import { listUsersOfAll, switchUser } from '../../platform/operator.ts'
import { statusOf } from '../../platform/serialize/user.ts'
import type { ListedUser } from '../../platform/store/all-users.ts'
import { isoTime } from '../../runtime/time.ts'
import { type AddedUser, addUser } from '../apply/add-user.ts'
import { withCurrentDatabase } from './parts/database.ts'
import { acting, reasonOption } from './parts/options.ts'
import { listCommand } from './parts/pages.ts'
import { printJson, printLine } from './parts/print.ts'

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

const list = listCommand('list', {
  name: 'users',
  description: 'Lists the users of all accounts.',
  options: [new Option('--disabled', 'those alone that are disabled')],
  find: async (
    ctx,
    { disabled = false, ...page }: { after: string; limit: number; disabled?: boolean },
  ) => ({
    found: await listUsersOfAll(ctx, { ...page, disabled }),
  }),
  head: ['user', 'email', 'account', 'role', 'status', 'last sign-in'],
  row: (user) => {
    const { id, email, accountName, role, status, lastLoginAt } = present(user)
    return [id, email, accountName, role, status, lastLoginAt ?? '-']
  },
  present,
  placeOf: ({ id }) => id,
})

interface AddOptions {
  account: string
  role: AddedUser['role']
  json?: boolean
}

const add = new Command('add')
  .description(
    'Adds a user with a random password, which is shown once. Makes the account if there is none of that name: the first administrator of a server is the owner of its first account.',
  )
  .argument('<email>')
  .requiredOption('--account <name>', 'the account of the user')
  .addOption(
    new Option('--role <role>', 'what the user may do in the account')
      .choices(['owner', 'admin', 'member'])
      .default('member'),
  )
  .action(async (email: string, { account, role, json }: AddOptions) => {
    const { user, authUrl } = await withCurrentDatabase(async (ctx) => ({
      user: await addUser(ctx, { email, account, role }),
      authUrl: ctx.config.authUrl,
    }))
    if (json) return printJson(user)
    printLine(`${user.email} is ${user.role} of ${user.accountName}.`)
    printLine(`Password, shown once: ${user.password}`)
    printLine(`Sign in at ${authUrl}/console`)
  })

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
  (ctx, user, { reason }) => switchUser(ctx, user, 'disabled', reason),
  ({ email }) => `${email} is disabled.`,
  { present: presentBriefly },
)

const enable = acting(
  act('enable', 'Enables a user again. What the user has allowed apps works as before.'),
  (ctx, user, { reason }) => switchUser(ctx, user, 'enabled', reason),
  ({ email }) => `${email} is enabled.`,
  { present: presentBriefly },
)

/** `user list|add|disable|enable`: what an operator decides of users. */
export const userCommand = new Command('user')
  .description('Lists, adds, disables and enables users.')
  .addCommand(list)
  .addCommand(add)
  .addCommand(disable)
  .addCommand(enable)
