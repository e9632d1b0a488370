import { didYouMean } from '@skillpass/contract'
import { Command, Option } from 'commander'
import { findNamedApp } from '../../oauth/apps/operator.ts'
import { revokeAccessOfApp, revokeAccessOfUser } from '../../oauth/end-access.ts'
import { statusOf } from '../../people/serialize.ts'
import { findNamedUser, setUserState } from '../../people/users.ts'
import { listNames } from '../../store/names.ts'
import { type ListedUser, listAllUsers, type Role } from '../../store/platform/users.ts'
import { addUser } from '../apply/apply.ts'
import { actionCommand, confirm, groupCommand, reasonOption, yesOption } from './parts/action.ts'
import { withOperator } from './parts/database.ts'
import { listCommand, type PageOptions } from './parts/list.ts'
import { humanize, printResult } from './parts/print.ts'

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

interface AddOptions {
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
  .action(async (email: string, { account, role, createAccount: yes }: AddOptions) =>
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
  'Lists, adds, disables and enables users.',
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
  actionCommand('enable', {
    description: 'Enables a user. Grants to apps work again.',
    argument,
    options: [reason],
    run: (ctx, user, reason) => setUserState(ctx, user, 'enabled', reason),
    message: ({ email }) => `${email} is enabled.`,
    toJson: summarize,
  }),
)

interface Options {
  user?: string
  app?: string
  reason?: string
  yes?: boolean
}

const revoke = new Command('revoke')
  .description(
    'Revokes all grants of a user, all access of an app or, with both options, the grants of the user to the app. Endpoints receive app_deauthorized, and tokens are rejected with error 4741 from the next request.',
  )
  .option('--user <user>', 'email or id; without --app, also signs the user out')
  .option('--app <app>', 'id, client id or name')
  .addOption(reasonOption('stored in the audit log').makeOptionMandatory(false))
  .addOption(yesOption())
  .action((options: Options) => {
    if (options.user === undefined && options.app === undefined) {
      return revoke.error('error: use --user, --app or both', { exitCode: 2 })
    }
    return withOperator(async (ctx) => {
      const { read } = ctx.db
      const user = options.user === undefined ? undefined : await findNamedUser(read, options.user)
      const app = options.app === undefined ? undefined : await findNamedApp(read, options.app)
      const subject = {
        ...(user && { user: { id: user.id, email: user.email } }),
        ...(app && { app: { id: app.id, name: app.name } }),
      }
      if (user) {
        const grants = app
          ? `the grants of ${user.email} to ${app.name}`
          : `all grants of ${user.email}`
        await confirm(revoke, `Revoke ${grants}?`, options)
        const ended = await revokeAccessOfUser(ctx, user, app, options.reason)
        printResult({ ...subject, ended }, formatCounts(ended))
      } else if (app) {
        await confirm(revoke, `Revoke all access of ${app.name}?`, options)
        const ended = await revokeAccessOfApp(ctx, app, options.reason)
        printResult({ ...subject, ended }, formatCounts(ended))
      }
    })
  })

/** Formats the counts of revoked grants, devices, tokens and sessions. */
function formatCounts(revoked: object): string {
  const parts = Object.entries(revoked).map(([kind, count]) => `${count} ${humanize(kind)}`)
  return `Revoked: ${parts.join(', ')}.`
}

export const tokenCommand = groupCommand('token', 'Revokes the tokens of users and apps.', revoke)
