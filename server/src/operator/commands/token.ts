import { Command } from 'commander'
import { findNamedApp } from '../../oauth/apps/moderation.ts'
import { revokeAccessOfApp, revokeAccessOfUser } from '../../oauth/end-access.ts'
import { findNamedUser } from '../../people/users.ts'
import { confirm, groupCommand, reasonOption, yesOption } from './parts/action.ts'
import { withOperator } from './parts/database.ts'
import { humanize, printResult } from './parts/print.ts'

const revoke = new Command('revoke')
  .description(
    'Revokes all grants of a user, all access of an app or, with both options, the grants of the user to the app. Endpoints receive app_deauthorized, and tokens are rejected with error 4741 from the next request.',
  )
  .option('--user <user>', 'email or id; without --app, also signs the user out')
  .option('--app <app>', 'id, client id or name')
  .addOption(reasonOption('stored in the audit log').makeOptionMandatory(false))
  .addOption(yesOption())
  .action((options: { user?: string; app?: string; reason?: string; yes?: boolean }) => {
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
