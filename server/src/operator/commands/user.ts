import { Command, Option } from 'commander'
import { setUserState } from '../../platform/operator.ts'
import { statusOf } from '../../platform/serialize/user.ts'
import { type ListedUser, listAllUsers } from '../../platform/store/all-users.ts'
import type { Role } from '../../platform/store/user-record.ts'
import { addUser } from '../apply/add-user.ts'
import { actCommand } from './parts/acts.ts'
import { withOperator } from './parts/database.ts'
import { groupCommand } from './parts/group.ts'
import { reasonOption } from './parts/options.ts'
import { listCommand, type PageAsked } from './parts/pages.ts'
import { answer } from './parts/print.ts'

const briefly = ({ id, email, accountId, accountName }: ListedUser) => ({
  id,
  email,
  accountId,
  accountName,
})

const present = (user: ListedUser) => {
  const { role, createdAt, lastLoginAt, disabledAt } = user
  return { ...briefly(user), role, status: statusOf(user), createdAt, lastLoginAt, disabledAt }
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
  .action(async (email: string, { account, role }: { account: string; role: Role }) =>
    withOperator(async (ctx) => {
      const user = await addUser(ctx, { email, account, role })
      answer(
        user,
        `${user.email} is ${user.role} of ${user.accountName}.`,
        `Password, shown once: ${user.password}`,
        `Sign in at ${ctx.config.authUrl}/console`,
      )
    }),
  )

const argument = ['<user>', 'email or id'] as const
const reason = reasonOption("the owner of the user's account reads it in the audit log")

/** `user list|add|disable|enable`: what an operator decides of users. */
export const userCommand = groupCommand(
  'user',
  'Lists, adds, disables and enables users.',
  listCommand('list', {
    name: 'users',
    description: 'Lists the users of all accounts.',
    options: [new Option('--disabled', 'those alone that are disabled')],
    find: async ({ db }, asked: PageAsked & { disabled?: boolean }) =>
      (await listAllUsers(db.read, asked)).map(present),
    columns: ['id', 'email', 'accountName', 'role', 'status', 'lastLoginAt'],
    place: 'id',
  }),
  add,
  actCommand('disable', {
    description:
      'Disables a user: signed out at once, no sign-in, and tokens are refused with 4735 from the next request on.',
    argument,
    options: [reason],
    run: (ctx, user, reason) => setUserState(ctx, user, 'disabled', reason),
    sentence: ({ email }) => `${email} is disabled.`,
    present: briefly,
  }),
  actCommand('enable', {
    description: 'Enables a user again. What the user has allowed apps works as before.',
    argument,
    options: [reason],
    run: (ctx, user, reason) => setUserState(ctx, user, 'enabled', reason),
    sentence: ({ email }) => `${email} is enabled.`,
    present: briefly,
  }),
)
