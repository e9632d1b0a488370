import { currentOperator, type Operating } from '../audit/operator.ts'
import { type Party, record, userParty } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { deleteSessionsOf } from '../platform/store/sessions.ts'
import { writeRemovals } from '../webhooks/outbox.ts'
import type { OAuthContext } from './context.ts'
import { revokeOwnTokensOfApp } from './store/access-tokens.ts'
import { type Ended, endGrants } from './store/grants.ts'

/** What the operator ends of the access that people and accounts have given to apps. */

export type OperatorContext = Operating & Pick<OAuthContext, 'encryption' | 'steadyNow'>

export interface RevokedAccess {
  /** What users had allowed; with each end its access and refresh tokens. */
  readonly grants: number
  /** Devices that were allowed and had not connected yet. */
  readonly devices: number
  /** Account and client tokens. */
  readonly ownTokens: number
  /** Browsers that were signed out. */
  readonly sessions: number
}

interface Named {
  readonly id: string
  readonly accountId: string
}

/**
 * Ends what a user has allowed any app, or the one that is named, and tells the endpoints of public apps
 * as if the user had removed it (OAuth spec §6). Without an app it signs the user out, too.
 */
export const revokeAccessOfUser = (
  ctx: OperatorContext,
  user: Named,
  app: Named | undefined,
  note?: string,
): Promise<RevokedAccess> =>
  ctx.db.write(async (trx) => {
    const now = ctx.steadyNow()
    const ending = { of: 'user_id', id: user.id, appId: app?.id, reason: 'removed', now } as const
    const ended = await endGrants(trx, ending)
    const sessions = app ? 0 : await deleteSessionsOf(trx, user.id)
    await tell(ctx, trx, ended, now)
    await recordRevocation(ctx, trx, userParty(user.id), user.accountId, note)
    return { ...counted(ended), ownTokens: 0, sessions }
  })

/**
 * Ends all access of an app, in the caller's transaction: what users have allowed it, of which its
 * endpoint is told, and the tokens that it has by itself.
 */
export async function endAccessOfApp(
  ctx: OperatorContext,
  trx: Db,
  appId: string,
): Promise<RevokedAccess> {
  const now = ctx.steadyNow()
  const ended = await endGrants(trx, { of: 'app_id', id: appId, reason: 'removed', now })
  const ownTokens = await revokeOwnTokensOfApp(trx, appId, now)
  await tell(ctx, trx, ended, now)
  return { ...counted(ended), ownTokens, sessions: 0 }
}

/** Ends all access of an app; whoever allows it again, and it itself, get new tokens. */
export const revokeAccessOfApp = (
  ctx: OperatorContext,
  app: Named,
  note?: string,
): Promise<RevokedAccess> =>
  ctx.db.write(async (trx) => {
    const ended = await endAccessOfApp(ctx, trx, app.id)
    await recordRevocation(ctx, trx, { kind: 'app', id: app.id }, app.accountId, note)
    return ended
  })

const counted = ({ grants, devices }: Ended) => ({ grants: grants.length, devices })

/** Writes the events of what has ended; senders look for events of other processes every second. */
const tell = (ctx: OperatorContext, trx: Db, { grants }: Ended, now: number): Promise<void> =>
  writeRemovals({ ...ctx, trace: null }, trx, grants, now)

const recordRevocation = (
  ctx: OperatorContext,
  trx: Db,
  whom: Party,
  accountId: string,
  note: string | undefined,
) => record(ctx, trx, { action: 'tokens.revoked', who: currentOperator(), whom, accountId, note })
