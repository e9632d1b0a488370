import { Command, Option } from 'commander'
import { deleteApp, type ShownApp, setAppState, showApp } from '../../apps/operator.ts'
import { listAllApps } from '../../apps/store/all-apps.ts'
import type { AppRecord } from '../../apps/store/apps.ts'
import { isoTime } from '../../runtime/time.ts'
import { actCommand } from './parts/acts.ts'
import { confirm, yesOption } from './parts/confirm.ts'
import { withOperator } from './parts/database.ts'
import { groupCommand } from './parts/group.ts'
import { reasonOption } from './parts/options.ts'
import { listCommand, type PageAsked } from './parts/pages.ts'
import { answer, tableOf, withTimes } from './parts/print.ts'

const argument = ['<app>', 'its id, client id or name'] as const
const reason = reasonOption("the owner of the app's account reads it in the audit log")

const stateOf = ({ disabledAt, byOperator }: AppRecord) => {
  if (disabledAt === null) return 'enabled'
  return byOperator ? 'disabled by you' : 'disabled'
}

const show = new Command('show')
  .description('Shows an app, its credentials without secrets, and how much it is used.')
  .argument(...argument)
  .action(async (name: string) => {
    const app = await withOperator((ctx) => showApp(ctx, name))
    answer(withTimes(app), ...linesOf(app))
  })

const linesOf = (app: ShownApp): string[] =>
  tableOf(
    ['app', app.id],
    [
      ['name', app.name],
      ['account', `${app.accountName} (${app.accountId})`],
      ['type', `${app.type}, ${app.level} level, ${app.visibility}`],
      ['state', stateOf(app)],
      ['made', isoTime(app.createdAt)],
      ['used by', `${app.users} users, ${app.grants} grants`],
      ...[app.development, app.production].flatMap((client) => [
        [client.environment, client.clientId],
        ['  scopes', client.scopes.join(' ') || '-'],
        ['  optional', client.optionalScopes.join(' ') || '-'],
        ['  redirects', client.redirectUris.join(' ') || '-'],
      ]),
    ],
  )

const remove = new Command('delete')
  .description(
    'Deletes an app for good: every token of it ends, and its endpoint gets app_deauthorized for each user.',
  )
  .argument(...argument)
  .addOption(reason)
  .addOption(yesOption())
  .action(async (name: string, { reason, ...options }: { reason: string; yes?: boolean }) => {
    const app = await withOperator((ctx) => showApp(ctx, name))
    const use = `${app.users === 1 ? '1 user uses' : `${app.users} users use`} it.`
    await confirm(remove, `Delete ${app.name} of ${app.accountName} for good? ${use}`, options)
    const done = await withOperator((ctx) => deleteApp(ctx, app.id, reason))
    answer(
      { ...withTimes(done), action: 'delete', reason },
      `${done.name} is deleted; ${done.ended.grants} grants of users ended.`,
    )
  })

/** `app list|show|disable|enable|delete`: what an operator decides of apps. */
export const appCommand = groupCommand(
  'app',
  'Lists, shows, disables, enables and deletes apps.',
  listCommand('list', {
    name: 'apps',
    description: 'Lists the apps of all accounts.',
    options: [new Option('--disabled', 'those alone that are disabled')],
    find: ({ db }, asked: PageAsked & { disabled?: boolean }) => listAllApps(db.read, asked),
    columns: ['id', 'name', 'accountName', 'type', 'visibility', ['state', stateOf], 'createdAt'],
    place: 'id',
  }),
  show,
  actCommand('disable', {
    description:
      'Disables an app: its tokens are refused with 4717 from the next request on. Only you can enable it.',
    argument,
    options: [reason],
    run: (ctx, app, reason) => setAppState(ctx, app, 'disabled', reason),
    sentence: ({ name }) => `${name} is disabled.`,
  }),
  actCommand('enable', {
    description: 'Enables an app again, whoever disabled it. Tokens that have not expired work.',
    argument,
    options: [reason],
    run: (ctx, app, reason) => setAppState(ctx, app, 'enabled', reason),
    sentence: ({ name }) => `${name} is enabled.`,
  }),
  remove,
)
