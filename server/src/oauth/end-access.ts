import { type AuditEvent, currentOperator, record, userParty } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { type AccessToEnd, endGrants } from '../store/oauth/grants.ts'
import { revokeOwnTokensOfApp } from '../store/oauth/tokens.ts'
import { deleteSessionsOf } from '../store/platform/sessions.ts'
import { writeRemovals } from '../webhooks/outbox.ts'

type Ending = Omit<AccessToEnd, 'now'>

/**
 * Ends the selected access and writes an event for each public app, which must then delete the
 * user's data (spec/oauth.md#deauthorization-webhook).
 */
export async function endAccess(ctx: OperatorContext, trx: Db, ending: Ending) {
  const now = ctx.steadyNow()
  const ended = await endGrants(trx, { ...ending, now })
  await writeRemovals(ctx, trx, ended.grants, now)
  return ended
}

interface Named {
  readonly id: string
  readonly accountId: string
}

/**
 * Ends the access of one app, or of all apps, to a user's data. Public apps receive the same event
 * as if the user had removed them (spec/oauth.md#deauthorization-webhook). Without `app` it also
 * signs the user out.
 */
export const revokeAccessOfUser = (
  ctx: OperatorContext,
  user: Named,
  app: Named | undefined,
  note?: string,
) =>
  ctx.db.write(async (trx) => {
    const ended = await end(ctx, trx, { of: 'user_id', id: user.id, appId: app?.id })
    const sessions = app ? 0 : await deleteSessionsOf(trx, user.id)
    await recordRevocation(ctx, trx, { whom: userParty(user.id), ...user, note })
    return { ...ended, ownTokens: 0, sessions }
  })

/**
 * Ends all access of an app, in the caller's transaction: its grants, for which its endpoint
 * receives events, and its account and client tokens.
 */
export async function endAccessOfApp(ctx: OperatorContext, trx: Db, appId: string) {
  const ended = await end(ctx, trx, { of: 'app_id', id: appId })
  const ownTokens = await revokeOwnTokensOfApp(trx, appId, ctx.steadyNow())
  return { ...ended, ownTokens, sessions: 0 }
}

/** Ends all access of an app. The app can get new tokens, and users can allow it again. */
export const revokeAccessOfApp = (ctx: OperatorContext, app: Named, note?: string) =>
  ctx.db.write(async (trx) => {
    const ended = await endAccessOfApp(ctx, trx, app.id)
    await recordRevocation(ctx, trx, { whom: { kind: 'app', id: app.id }, ...app, note })
    return ended
  })

/**
 * Ends access. Counts the grants and the allowed devices that had not connected yet. Senders of
 * running servers find the events within a second.
 */
async function end(ctx: OperatorContext, trx: Db, access: Omit<Ending, 'reason'>) {
  const ending = { ...access, reason: 'removed' } as const
  const { grants, devices } = await endAccess(ctx, trx, ending)
  return { grants: grants.length, devices }
}

const recordRevocation = (
  ctx: OperatorContext,
  trx: Db,
  event: Pick<AuditEvent, 'whom' | 'accountId' | 'note'>,
) => record(ctx, trx, { ...event, action: 'tokens.revoked', who: currentOperator() })
