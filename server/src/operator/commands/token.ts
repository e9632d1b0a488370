import { Command } from 'commander'
import { findNamedApp } from '../../apps/operator.ts'
import { type RevokedAccess, revokeAccessOfApp, revokeAccessOfUser } from '../../oauth/operator.ts'
import { findNamedUser } from '../../platform/operator.ts'
import { confirm, yesOption } from './parts/confirm.ts'
import { withOperatorContext } from './parts/database.ts'
import { reasonOption } from './parts/options.ts'
import { printJson, printLine } from './parts/print.ts'

interface Options {
  user?: string
  app?: string
  reason?: string
  yes?: boolean
  json?: boolean
}

const revoke = new Command('revoke')
  .description(
    'Ends what a user has allowed, what an app holds, or with both what the user has allowed the app. Endpoints get app_deauthorized, and tokens are refused with 4741 from the next request on.',
  )
  .option('--user <user>', 'email or id; signs the user out of browsers, too')
  .option('--app <app>', 'id, client id or name')
  .addOption(reasonOption('the audit log keeps it').makeOptionMandatory(false))
  .addOption(yesOption())
  .action(async (options: Options) => {
    const { user: userName, app: appName, reason } = options
    if (userName === undefined && appName === undefined) {
      revoke.error('error: give --user, --app or both', { exitCode: 2 })
    }
    const done = await withOperatorContext(async (ctx) => {
      const { read } = ctx.db
      const user = userName === undefined ? undefined : await findNamedUser(read, userName)
      const app = appName === undefined ? undefined : await findNamedApp(read, appName)
      const whose = user && app ? `what ${user.email} has allowed ${app.name}` : undefined
      const all = user ? `all that ${user.email} has allowed` : `all access of ${app?.name}`
      await confirm(revoke, `End ${whose ?? all}?`, options)
      const subject = {
        ...(user ? { user: { id: user.id, email: user.email } } : {}),
        ...(app ? { app: { id: app.id, name: app.name } } : {}),
      }
      if (user) return { ...subject, ended: await revokeAccessOfUser(ctx, user, app, reason) }
      if (app) return { ...subject, ended: await revokeAccessOfApp(ctx, app, reason) }
      throw new Error('Neither a user nor an app was found.')
    })
    if (options.json) printJson(done)
    else printLine(sentence(done.ended))
  })

function sentence({ grants, devices, ownTokens, sessions }: RevokedAccess): string {
  const parts = [
    count(grants, 'grant', ' with their tokens'),
    count(devices, 'allowed device'),
    count(ownTokens, 'token of the app itself', '', 'tokens of the app itself'),
    count(sessions, 'browser session'),
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? 'There was nothing to end.' : `Ended: ${parts.join(', ')}.`
}

const count = (number: number, one: string, suffix = '', many = `${one}s`) =>
  number === 0 ? undefined : `${number} ${number === 1 ? one : many}${suffix}`

/** `token revoke --user EMAIL|--app ID`: ends access at once, on all nodes. */
export const tokenCommand = new Command('token')
  .description('Ends the tokens of users and apps.')
  .addCommand(revoke)
