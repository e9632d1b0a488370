import { scopeLevel } from '@skillpass/contract'
import type { Context } from '../context.ts'
import type { Db } from '../db/open.ts'
import { findAccount } from '../platform/store/accounts.ts'
import type { UserRecord } from '../platform/store/users.ts'
import { findApproval } from './store/approvals.ts'
import type { Client } from './store/clients.ts'

/** Why a user may not allow an app, or not yet (OAuth spec §4; open-points B). */
export type Obstacle =
  /** The app, or these credentials of it, are for the users of its own account alone. */
  | { kind: 'not-public' }
  /** An app on the account level: an admin, or for master scopes the owner, has to authorize it. */
  | { kind: 'role'; needed: 'admin' | 'owner' }
  /** The account approves apps before its users authorize them. */
  | { kind: 'approval'; state: 'none' | 'requested' | 'declined' | 'withdrawn' }

/** What stands between a user and allowing an app these scopes; nothing when the user may. */
export async function findObstacle(
  ctx: Pick<Context, 'db'>,
  { app, environment }: Client,
  user: UserRecord,
  scopes: readonly string[],
): Promise<Obstacle | undefined> {
  const isForAll = app.visibility === 'public' && environment === 'production'
  if (!isForAll && user.accountId !== app.accountId) return { kind: 'not-public' }
  const needed = neededRole(app.level, scopes)
  if (needed === 'owner' && user.role !== 'owner') return { kind: 'role', needed }
  if (needed === 'admin' && user.role === 'member') return { kind: 'role', needed }
  return findMissingApproval(ctx.db.read, app.id, user.accountId)
}

/** The approval of the user's account that an app lacks; nothing where it needs none, or has it. */
export async function findMissingApproval(
  db: Db,
  appId: string,
  accountId: string,
): Promise<Extract<Obstacle, { kind: 'approval' }> | undefined> {
  const account = await findAccount(db, accountId)
  if (!account?.requireAppApproval) return undefined
  const approval = await findApproval(db, accountId, appId)
  if (approval?.state === 'approved') return undefined
  return { kind: 'approval', state: approval?.state ?? 'none' }
}

function neededRole(level: Client['app']['level'], scopes: readonly string[]) {
  const levels = scopes.map(scopeLevel)
  if (levels.includes('master')) return 'owner'
  return level === 'account' || levels.includes('admin') ? 'admin' : 'member'
}
