import { Command } from 'commander'
import { findNamedApp } from '../../apps/operator.ts'
import { revokeAccessOfApp, revokeAccessOfUser } from '../../oauth/operator.ts'
import { findNamedUser } from '../../platform/operator.ts'
import { confirm, yesOption } from './parts/confirm.ts'
import { withOperator } from './parts/database.ts'
import { groupCommand } from './parts/group.ts'
import { reasonOption } from './parts/options.ts'
import { answer, words } from './parts/print.ts'

interface Options {
  user?: string
  app?: string
  reason?: string
  yes?: boolean
}

const revoke = new Command('revoke')
  .description(
    'Ends what a user has allowed, what an app holds, or with both what the user has allowed the app. Endpoints get app_deauthorized, and tokens are refused with 4741 from the next request on.',
  )
  .option('--user <user>', 'email or id; signs the user out of browsers, too')
  .option('--app <app>', 'id, client id or name')
  .addOption(reasonOption('the audit log keeps it').makeOptionMandatory(false))
  .addOption(yesOption())
  .action((options: Options) => {
    if (options.user === undefined && options.app === undefined) {
      return revoke.error('error: give --user, --app or both', { exitCode: 2 })
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
        const what = app
          ? `what ${user.email} has allowed ${app.name}`
          : `all that ${user.email} has allowed`
        await confirm(revoke, `End ${what}?`, options)
        const ended = await revokeAccessOfUser(ctx, user, app, options.reason)
        answer({ ...subject, ended }, sentence(ended))
      } else if (app) {
        await confirm(revoke, `End all access of ${app.name}?`, options)
        const ended = await revokeAccessOfApp(ctx, app, options.reason)
        answer({ ...subject, ended }, sentence(ended))
      }
    })
  })

/** How much has ended of each kind: grants with their tokens, tokens of apps themselves, and so on. */
function sentence(ended: object): string {
  const parts = Object.entries(ended).map(([kind, count]) => `${count} ${words(kind)}`)
  return `Ended: ${parts.join(', ')}.`
}

/** `token revoke --user EMAIL|--app ID`: ends access at once, on all nodes. */
export const tokenCommand = groupCommand('token', 'Ends the tokens of users and apps.', revoke)
