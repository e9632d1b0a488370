import { parseScopes, scopeLevel } from '@skillpass/contract'
import {
  type ApprovalRecord,
  type AskedAccess,
  findApproval,
  findAskedAccess,
  holdApproval,
} from '../apps/store/approvals.ts'
import type { OAuthClient } from '../apps/store/clients.ts'
import type { Db } from '../db/open.ts'
import { findAccount } from '../platform/store/accounts.ts'
import type { UserRecord } from '../platform/store/user-record.ts'
import type { OAuthContext } from './context.ts'
import { covers } from './scopes.ts'

/** Why a user may not allow an app, or not yet (OAuth spec §4; open-points B). */
export type ConsentRefusal =
  /** The app, or these credentials of it, are for the users of its own account alone. */
  | { kind: 'not-public' }
  /** An app on the account level: an admin, or for master scopes the owner, has to authorize it. */
  | { kind: 'role'; needed: 'admin' | 'owner' }
  /** The account approves apps before its users authorize them. */
  | { kind: 'approval'; state: MissingApproval; asked: AskedAccess; approved?: ApprovedAccess }

export type ApprovedAccess = Pick<ApprovalRecord, 'approvedName' | 'approvedScopes'>

/** Why an approval is missing. A `changed` app has another name or asks for more than is approved. */
export type MissingApproval = 'none' | 'requested' | 'declined' | 'withdrawn' | 'changed'

/**
 * What stands between a user and allowing an app these scopes; nothing when the user may. `scopes` are
 * all that the user is asked for, optional ones included.
 */
export async function findConsentRefusal(
  ctx: OAuthContext,
  { app, environment }: OAuthClient,
  user: UserRecord,
  scopes: readonly string[],
): Promise<ConsentRefusal | undefined> {
  if (!isOpenTo({ app, environment }, user.accountId)) return { kind: 'not-public' }
  const needed = neededRole(app.level, scopes)
  if (needed === 'owner' && user.role !== 'owner') return { kind: 'role', needed }
  if (needed === 'admin' && user.role === 'member') return { kind: 'role', needed }
  const { read } = ctx.db
  const approval = await findApproval(read, user.accountId, app.id)
  const state = await missingApproval(read, user.accountId, approval, { name: app.name, scopes })
  if (!state) return undefined
  const asked = await findAskedAccess(read, user.accountId, app.id)
  return asked && { kind: 'approval', state, asked, ...(approval && { approved: approval }) }
}

/** Whether users of an account may use these credentials: a public app's are for all, else its own. */
export const isOpenTo = (
  { app, environment }: Pick<OAuthClient, 'app' | 'environment'>,
  accountId: string,
): boolean =>
  accountId === app.accountId || (app.visibility === 'public' && environment === 'production')

/** Whether the account allows the app these scopes at this moment, for a transaction that relies on it. */
export async function holdsApproval(
  trx: Db,
  { id, name }: Pick<OAuthClient['app'], 'id' | 'name'>,
  accountId: string,
  scopes: readonly string[],
): Promise<boolean> {
  const approval = await holdApproval(trx, accountId, id)
  return (await missingApproval(trx, accountId, approval, { name, scopes })) === undefined
}

/** An approval is for the name and the scopes that the admin saw. */
export const isApproved = (
  { state, approvedName, approvedScopes }: ApprovalRecord,
  asked: { name: string; scopes: readonly string[] },
): boolean =>
  state === 'approved' &&
  approvedName === asked.name &&
  covers(parseScopes(approvedScopes ?? ''), asked.scopes)

/** The approval that is missing; after a no it is, whatever the account asks of others. */
async function missingApproval(
  db: Db,
  accountId: string,
  approval: ApprovalRecord | undefined,
  asked: { name: string; scopes: readonly string[] },
): Promise<MissingApproval | undefined> {
  if (approval && isApproved(approval, asked)) return undefined
  const account = await findAccount(db, accountId)
  const isRefused = approval?.state === 'declined' || approval?.state === 'withdrawn'
  if (account?.requireAppApproval !== true && !isRefused) return undefined
  if (!approval) return 'none'
  if (approval.decidedAt === null) return 'requested'
  return approval.state === 'approved' ? 'changed' : approval.state
}

export const isWithinRole = ({ role }: Pick<UserRecord, 'role'>, scope: string): boolean => {
  const level = scopeLevel(scope)
  return level === 'user' || role === 'owner' || (level === 'admin' && role === 'admin')
}

function neededRole(level: OAuthClient['app']['level'], scopes: readonly string[]) {
  const levels = scopes.map(scopeLevel)
  if (levels.includes('master')) return 'owner'
  return level === 'account' || levels.includes('admin') ? 'admin' : 'member'
}
