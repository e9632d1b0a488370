import { Command, Option } from 'commander'
import { deleteApp, listAppsOfAll, type ShownApp, showApp, switchApp } from '../../apps/operator.ts'
import type { ListedApp } from '../../apps/store/all-apps.ts'
import { serializeTimes } from '../../http/serialize.ts'
import { isoTime } from '../../runtime/time.ts'
import { confirm, yesOption } from './parts/confirm.ts'
import { asOperator, withOperatorContext } from './parts/database.ts'
import { acting, reasonOption } from './parts/options.ts'
import { listCommand } from './parts/pages.ts'
import { printJson, printLine, printTable } from './parts/print.ts'

const named = (name: string, description: string) =>
  new Command(name).description(description).argument('<app>', 'its id, client id or name')

const stateOf = ({ disabledAt, byOperator }: ListedApp) => {
  if (disabledAt === null) return 'enabled'
  return byOperator ? 'disabled by you' : 'disabled'
}

const present = <A extends ListedApp>(app: A) => serializeTimes(app, ['createdAt', 'disabledAt'])

const list = listCommand('list', {
  name: 'apps',
  description: 'Lists the apps of all accounts.',
  options: [new Option('--disabled', 'those alone that are disabled')],
  find: async (
    ctx,
    { disabled = false, ...page }: { after: string; limit: number; disabled?: boolean },
  ) => ({
    found: await listAppsOfAll(ctx, { ...page, disabled }),
  }),
  head: ['app', 'name', 'account', 'type', 'visibility', 'state', 'made'],
  row: (app) => [
    app.id,
    app.name,
    app.accountName,
    app.type,
    app.visibility,
    stateOf(app),
    isoTime(app.createdAt),
  ],
  present,
  placeOf: ({ id }) => id,
})

const show = named(
  'show',
  'Shows an app, its credentials without secrets, and how much it is used.',
).action(async (name: string, { json }: { json?: boolean }) => {
  const app = await asOperator((ctx) => showApp(ctx, name))
  if (json) printJson(present(app))
  else printApp(app)
})

function printApp(app: ShownApp) {
  printTable(
    ['app', app.id],
    [
      ['name', app.name],
      ['account', `${app.accountName} (${app.accountId})`],
      ['type', `${app.type}, ${app.level} level, ${app.visibility}`],
      ['state', stateOf(app)],
      ['made', isoTime(app.createdAt)],
      ['used by', `${app.users} users, ${app.grants} grants`],
      ...([app.development, app.production] as const).flatMap((client) => [
        [client.environment, client.clientId],
        ['  scopes', client.scopes.join(' ') || '-'],
        ['  optional', client.optionalScopes.join(' ') || '-'],
        ['  redirects', client.redirectUris.join(' ') || '-'],
      ]),
    ],
  )
}

const reader = () => reasonOption("the owner of the app's account reads it in the audit log")

const disable = acting(
  named(
    'disable',
    'Disables an app: its tokens are refused with 4717 from the next request on. Only you can enable it.',
  ).addOption(reader()),
  (ctx, app, { reason }) => switchApp(ctx, app, 'disabled', reason),
  ({ name }) => `${name} is disabled.`,
  { present },
)

const enable = acting(
  named(
    'enable',
    'Enables an app again, whoever disabled it. Tokens that have not expired work.',
  ).addOption(reader()),
  (ctx, app, { reason }) => switchApp(ctx, app, 'enabled', reason),
  ({ name }) => `${name} is enabled.`,
  { present },
)

const remove = named(
  'delete',
  'Deletes an app for good: every token of it ends, and its endpoint gets app_deauthorized for each user.',
)
  .addOption(reader())
  .addOption(yesOption())
  .action(async (name: string, options: { reason: string; yes?: boolean; json?: boolean }) => {
    const app = await asOperator((ctx) => showApp(ctx, name))
    const use = `${app.users === 1 ? '1 user uses' : `${app.users} users use`} it.`
    await confirm(remove, `Delete ${app.name} of ${app.accountName} for good? ${use}`, options)
    const done = await withOperatorContext((ctx) => deleteApp(ctx, app.id, options.reason))
    if (options.json)
      return printJson({ ...present(done), action: 'delete', reason: options.reason })
    printLine(`${done.name} is deleted; ${done.ended.grants} grants of users ended.`)
  })

/** `app list|show|disable|enable|delete`: what an operator decides of apps. */
export const appCommand = new Command('app')
  .description('Lists, shows, disables, enables and deletes apps.')
  .addCommand(list)
  .addCommand(show)
  .addCommand(disable)
  .addCommand(enable)
  .addCommand(remove)
