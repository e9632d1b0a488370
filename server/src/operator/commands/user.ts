import { text } from 'node:stream/consumers'
import { didYouMean } from '@skillpass/contract'
import { Command, Option } from 'commander'
import { setPassword } from '../../people/account.ts'
import { statusOf } from '../../people/serialize.ts'
import { setUserState } from '../../people/users.ts'
import { listNames } from '../../store/names.ts'
import { type ListedUser, listAllUsers, type Role } from '../../store/platform/users.ts'
import { addUser, randomPassword } from '../apply/apply.ts'
import { actionCommand, confirm, groupCommand, reasonOption } from './parts/action.ts'
import { withOperator } from './parts/database.ts'
import { listCommand, type PageOptions } from './parts/list.ts'
import { printResult } from './parts/print.ts'

const summarize = ({ id, email, accountId, accountName }: ListedUser) => ({
  id,
  email,
  accountId,
  accountName,
})

const toListItem = (user: ListedUser) => {
  const { role, createdAt, lastLoginAt, disabledAt } = user
  return { ...summarize(user), role, status: statusOf(user), createdAt, lastLoginAt, disabledAt }
}

interface Options {
  account: string
  role: Role
  createAccount?: boolean
}

const add: Command = new Command('add')
  .description(
    'Adds a user with a random password, which is printed once. Asks before it creates an account. The first administrator of a server is the owner of its first account.',
  )
  .argument('<email>')
  .requiredOption('--account <name>', 'name of the account')
  .option('--create-account', 'create the account if it does not exist, without asking')
  .addOption(
    new Option('--role <role>', 'role of the user in the account')
      .choices(['owner', 'admin', 'member'])
      .default('member'),
  )
  .action(async (email: string, { account, role, createAccount: yes }: Options) =>
    withOperator(async (ctx) => {
      const names = await listNames(ctx.db.read, 'account')
      if (!names.includes(account)) {
        const missing = `There is no account ${account}.${didYouMean(account, names)}`
        await confirm(add, `${missing} Create it?`, { yes }, '--create-account')
      }
      const user = await addUser(ctx, { email, account, role })
      printResult(
        user,
        `${user.email} is ${user.role} of ${user.accountName}.`,
        `Password (printed only once): ${user.password}`,
        `Sign in at ${ctx.config.authUrl}/console`,
      )
    }),
  )

const argument = ['<user>', 'email or id'] as const

const reason = reasonOption("shown to the owner of the user's account in the audit log")

export const userCommand = groupCommand(
  'user',
  'Lists, adds, disables and enables users, and sets their passwords.',
  listCommand('list', {
    name: 'users',
    description: 'Lists the users of all accounts.',
    options: [new Option('--disabled', 'only disabled users')],
    find: async ({ db }, options: PageOptions & { disabled?: boolean }) =>
      (await listAllUsers(db.read, options)).map(toListItem),
    columns: ['id', 'email', 'accountName', 'role', 'status', 'lastLoginAt'],
    cursor: 'id',
  }),
  add,
  actionCommand('disable', {
    description:
      'Disables a user: ends all sessions, blocks sign-in, and rejects tokens with error 4735 from the next request.',
    argument,
    options: [reason],
    run: (ctx, user, reason) => setUserState(ctx, user, 'disabled', reason),
    message: ({ email }) => `${email} is disabled.`,
    toJson: summarize,
  }),
  actionCommand('set-password', {
    description:
      'Sets a random password and prints it once, or sets the one from standard input. Ends all sessions of the user.',
    argument,
    options: [new Option('--stdin', 'read the password from the first line of standard input')],
    run: async (ctx, user, _, { stdin }: { stdin?: boolean }) => {
      const given = stdin ? (await text(process.stdin)).split(/\r?\n/, 1).join('') : undefined
      const password = given ?? randomPassword(ctx.random)
      return { ...(await setPassword(ctx, user, password)), password: given ? undefined : password }
    },
    message: ({ email, password }) =>
      `The password of ${email} is changed, and their sessions have ended.${password ? `\nPassword (printed only once): ${password}` : ''}`,
    toJson: ({ password, ...user }) => ({ ...summarize(user), password }),
  }),
  actionCommand('enable', {
    description: 'Enables a user. Grants to apps work again.',
    argument,
    options: [reason],
    run: (ctx, user, reason) => setUserState(ctx, user, 'enabled', reason),
    message: ({ email }) => `${email} is enabled.`,
    toJson: summarize,
  }),
)
