import { Command, Option } from 'commander'
import { deleteApp, type ShownApp, setAppState, showApp } from '../../oauth/apps/moderation.ts'
import { isoTime } from '../../runtime/time.ts'
import { type AppRecord, listAllApps } from '../../store/oauth/apps.ts'
import { actionCommand, groupCommand, reasonOption } from './parts/action.ts'
import { withOperator } from './parts/database.ts'
import { listCommand, type PageOptions } from './parts/list.ts'
import { printResult, tableOf, withIsoTimes } from './parts/print.ts'

const argument = ['<app>', 'its id, client id or name'] as const
const reason = reasonOption("shown to the owner of the app's account in the audit log")

const stateOf = ({ disabledAt, byOperator }: AppRecord) => {
  if (disabledAt === null) return 'enabled'
  return byOperator ? 'disabled by the operator' : 'disabled'
}

const show = new Command('show')
  .description('Shows an app with its client ids and scopes, and how many users and grants it has.')
  .argument(...argument)
  .action(async (name: string) => {
    const app = await withOperator((ctx) => showApp(ctx, name))
    printResult(withIsoTimes(app), ...linesOf(app))
  })

const linesOf = (app: ShownApp): string[] =>
  tableOf(
    ['app', app.id],
    [
      ['name', app.name],
      ['account', `${app.accountName} (${app.accountId})`],
      ['type', `${app.type}, ${app.level} level, ${app.visibility}`],
      ['state', stateOf(app)],
      ['created', isoTime(app.createdAt)],
      ['endpoint', app.deauthorizationUrl ?? '-'],
      ['events', app.events.join(' ') || '-'],
      ['used by', `${app.users} users, ${app.grants} grants`],
      ...[app.development, app.production].flatMap((client) => [
        [client.environment, client.clientId],
        ['  scopes', client.scopes.join(' ') || '-'],
        ['  optional', client.optionalScopes.join(' ') || '-'],
        ['  redirects', client.redirectUris.join(' ') || '-'],
      ]),
    ],
  )

export const appCommand = groupCommand(
  'app',
  'Lists, shows, disables, enables and deletes apps.',
  listCommand('list', {
    name: 'apps',
    description: 'Lists the apps of all accounts.',
    options: [new Option('--disabled', 'only disabled apps')],
    find: ({ db }, options: PageOptions & { disabled?: boolean }) => listAllApps(db.read, options),
    columns: ['id', 'name', 'accountName', 'type', 'visibility', ['state', stateOf], 'createdAt'],
    cursor: 'id',
  }),
  show,
  actionCommand('disable', {
    description:
      'Disables an app. Its tokens are rejected with error 4717 from the next request. Only an operator can enable the app again.',
    argument,
    options: [reason],
    run: (ctx, app, reason) => setAppState(ctx, app, 'disabled', reason),
    message: ({ name }) => `${name} is disabled.`,
  }),
  actionCommand('enable', {
    description: 'Enables an app, whoever disabled it. Tokens that have not expired work again.',
    argument,
    options: [reason],
    run: (ctx, app, reason) => setAppState(ctx, app, 'enabled', reason),
    message: ({ name }) => `${name} is enabled.`,
  }),
  actionCommand('delete', {
    description:
      'Deletes an app for good. Its tokens are revoked, and its endpoint receives app_deauthorized for each user.',
    argument,
    options: [reason],
    run: deleteApp,
    message: ({ name, ended }) => `${name} is deleted. ${ended.grants} user grants were revoked.`,
    question: async (name) => {
      const app = await withOperator((ctx) => showApp(ctx, name))
      const users = app.users === 1 ? '1 user' : `${app.users} users`
      return `Delete ${app.name} of ${app.accountName} for good? It has ${users}.`
    },
  }),
)
