import { currentOperator, type Operating } from '../audit/operator.ts'
import { type Party, record, userParty } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { deleteSessionsOf } from '../platform/store/sessions.ts'
import type { OAuthContext } from './context.ts'
import { endAccess } from './end-access.ts'
import { revokeOwnTokensOfApp } from './store/access-tokens.ts'
import type { Ending } from './store/grants.ts'

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
    const ended = await end(ctx, trx, { of: 'user_id', id: user.id, appId: app?.id })
    const sessions = app ? 0 : await deleteSessionsOf(trx, user.id)
    await recordRevocation(ctx, trx, userParty(user.id), user.accountId, note)
    return { ...ended, ownTokens: 0, sessions }
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
  const ended = await end(ctx, trx, { of: 'app_id', id: appId })
  const ownTokens = await revokeOwnTokensOfApp(trx, appId, ctx.steadyNow())
  return { ...ended, ownTokens, sessions: 0 }
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

/** Ends access, and counts it; senders look for events of other processes every second. */
async function end(ctx: OperatorContext, trx: Db, access: Pick<Ending, 'of' | 'id' | 'appId'>) {
  const ending = { ...access, reason: 'removed' } as const
  const { grants, devices } = await endAccess({ ...ctx, trace: null }, trx, ending)
  return { grants: grants.length, devices }
}

const recordRevocation = (
  ctx: OperatorContext,
  trx: Db,
  whom: Party,
  accountId: string,
  note: string | undefined,
) => record(ctx, trx, { action: 'tokens.revoked', who: currentOperator(), whom, accountId, note })
