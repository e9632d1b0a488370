import { type OAuthErrorName, parseScopes, scopeLevel } from '@skillpass/contract'
import type { Db } from '../db/open.ts'
import { hasLevel } from '../people/bearer.ts'
import type { Context } from '../runtime/context.ts'
import * as store from '../store/oauth/approvals.ts'
import type { OAuthClient } from '../store/oauth/clients.ts'
import { findAccount } from '../store/platform/accounts.ts'
import type { UserRecord } from '../store/platform/users.ts'
import { covers } from './scopes.ts'

/** Why a user may not allow an app (spec/decisions.md#approval). */
export type ConsentRefusal =
  /** Only users of the app's own account can use these credentials. */
  | { kind: 'not-public' }
  /** An admin must authorize the app, or the owner if it requests master scopes. */
  | { kind: 'role'; needed: 'admin' | 'owner' }
  /** An admin must approve the app first. */
  | {
      kind: 'approval'
      state: MissingApproval
      asked: store.RequestedAccess
      approved?: ApprovedAccess
    }

export type ApprovedAccess = Pick<store.ApprovalRecord, 'approvedName' | 'approvedScopes'>

/** Why an approval is missing. `changed`: the app's name or scopes have since changed. */
type MissingApproval = 'none' | 'requested' | 'declined' | 'withdrawn' | 'changed'

/**
 * Returns why a user may not allow an app these scopes, or undefined if the user may. `scopes` are
 * all the scopes on the page, including optional ones.
 */
export async function findConsentRefusal(
  ctx: Context,
  { app, environment }: OAuthClient,
  user: UserRecord,
  scopes: readonly string[],
): Promise<ConsentRefusal | undefined> {
  if (!isAvailableTo({ app, environment }, user.accountId)) return { kind: 'not-public' }
  const needed = missingRole(app, user, scopes)
  if (needed) return { kind: 'role', needed }
  const { read } = ctx.db
  const approval = await store.findApproval(read, user.accountId, app.id)
  const state = await reasonForMissingApproval(read, user.accountId, approval, {
    name: app.name,
    scopes,
  })
  if (!state) return undefined
  const asked = await store.findRequestedAccess(read, user.accountId, app.id)
  return asked && { kind: 'approval', state, asked, ...(approval && { approved: approval }) }
}

/**
 * Whether users of an account can use these credentials. Production credentials of a public app are
 * open to all accounts, others only to the app's own.
 */
export const isAvailableTo = (
  { app, environment }: Pick<OAuthClient, 'app' | 'environment'>,
  accountId: string,
): boolean =>
  accountId === app.accountId || (app.visibility === 'public' && environment === 'production')

/** Returns an error if a user of an account cannot use these credentials for these scopes. */
export function errorOfUser(
  client: Pick<OAuthClient, 'app' | 'environment'>,
  user: Pick<UserRecord, 'accountId' | 'role'>,
  scopes: readonly string[],
): OAuthErrorName | undefined {
  if (!isAvailableTo(client, user.accountId)) return 'app_not_public'
  return missingRole(client.app, user, scopes) && 'role_missing'
}

/** Whether the account permits the app to have these scopes. Locks the approval. */
export async function isApprovalCurrent(
  trx: Db,
  { id, name }: Pick<OAuthClient['app'], 'id' | 'name'>,
  accountId: string,
  scopes: readonly string[],
): Promise<boolean> {
  const approval = await store.lockApproval(trx, accountId, id)
  return (await reasonForMissingApproval(trx, accountId, approval, { name, scopes })) === undefined
}

/** Whether an approval covers the app's present name and the requested scopes. */
export const isApproved = (
  { state, approvedName, approvedScopes }: store.ApprovalRecord,
  requested: { name: string; scopes: readonly string[] },
): boolean =>
  state === 'approved' &&
  approvedName === requested.name &&
  covers(parseScopes(approvedScopes ?? ''), requested.scopes)

/**
 * Returns why the approval is missing. After an admin declined or withdrew it, the app needs
 * approval even if the account does not require it in general.
 */
async function reasonForMissingApproval(
  db: Db,
  accountId: string,
  approval: store.ApprovalRecord | undefined,
  requested: { name: string; scopes: readonly string[] },
): Promise<MissingApproval | undefined> {
  if (approval && isApproved(approval, requested)) return undefined
  const account = await findAccount(db, accountId)
  const isRefused = approval?.state === 'declined' || approval?.state === 'withdrawn'
  if (account?.requireAppApproval !== true && !isRefused) return undefined
  if (!approval) return 'none'
  if (approval.decidedAt === null) return 'requested'
  return approval.state === 'approved' ? 'changed' : approval.state
}

export const isWithinRole = ({ role }: Pick<UserRecord, 'role'>, scope: string): boolean =>
  hasLevel(role, scopeLevel(scope))

/** Returns the role that a user lacks to allow an app these scopes (spec/decisions.md#levels). */
function missingRole(
  { level }: Pick<OAuthClient['app'], 'level'>,
  { role }: Pick<UserRecord, 'role'>,
  scopes: readonly string[],
) {
  const levels = scopes.map(scopeLevel)
  if (levels.includes('master') && role !== 'owner') return 'owner'
  const needsAdmin = level === 'account' || levels.includes('admin')
  return needsAdmin && role === 'member' ? 'admin' : undefined
}
