import type { Context } from '../context.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors.ts'
import type { UserRecord } from '../platform/store/users.ts'
import { isAdmin } from '../platform/users.ts'
import {
  findApproval,
  insertRequest,
  listApprovalsOf,
  type NamedApproval,
  upsertDecision,
} from './store/approvals.ts'
import { findApp } from './store/apps.ts'
import { endGrantsOfAccount } from './store/grants.ts'

/** A user asks the admins of the account for an app. Asking again changes nothing, save after a no. */
export async function requestApproval(
  ctx: Pick<Context, 'db' | 'steadyNow'>,
  user: UserRecord,
  appId: string,
): Promise<void> {
  await requireApp(ctx.db.read, appId)
  const now = ctx.steadyNow()
  await ctx.db.write((trx) =>
    insertRequest(trx, { accountId: user.accountId, appId, userId: user.id, now }),
  )
}

/**
 * An admin allows an app for the account, asked or not, or declines it. Throws FORBIDDEN for a
 * member, NOT_FOUND, and CONFLICT for declining what is approved: that is withdrawn instead.
 */
export async function decideApproval(
  ctx: Pick<Context, 'db' | 'steadyNow'>,
  admin: UserRecord,
  appId: string,
  decision: 'approved' | 'declined',
): Promise<void> {
  requireAdmin(admin)
  await requireApp(ctx.db.read, appId)
  await ctx.db.write(async (trx) => {
    if (decision === 'approved') return approveApp(ctx, trx, admin.accountId, appId, admin.id)
    const { accountId, id: decidedBy } = admin
    const now = ctx.steadyNow()
    const isDeclined = await upsertDecision(trx, {
      accountId,
      appId,
      state: decision,
      decidedBy,
      now,
    })
    if (!isDeclined) fail('CONFLICT', 'This app is approved. Withdraw the approval instead.')
  })
}

/** Allows an app for an account, in the caller's transaction; without an admin it is the operator's word. */
export async function approveApp(
  ctx: Pick<Context, 'steadyNow'>,
  trx: Db,
  accountId: string,
  appId: string,
  decidedBy: string | null = null,
): Promise<void> {
  const present = await findApproval(trx, accountId, appId)
  if (present?.state === 'approved') return
  const now = ctx.steadyNow()
  await upsertDecision(trx, { accountId, appId, state: 'approved', decidedBy, now })
}

/**
 * An admin takes an approval back: the tokens of all the account's users for this app end at once
 * (OAuth spec §7, 4738), whatever was decided before. Throws FORBIDDEN for a member and NOT_FOUND.
 */
export async function withdrawApproval(
  ctx: Pick<Context, 'db' | 'steadyNow'>,
  admin: UserRecord,
  appId: string,
): Promise<void> {
  requireAdmin(admin)
  await requireApp(ctx.db.read, appId)
  const { accountId, id: decidedBy } = admin
  const now = ctx.steadyNow()
  await ctx.db.write(async (trx) => {
    await upsertDecision(trx, { accountId, appId, state: 'withdrawn', decidedBy, now })
    await endGrantsOfAccount(trx, { accountId, appId, reason: 'withdrawn', now })
  })
}

/** What the admin's account was asked for and has decided, by app. Throws FORBIDDEN for a member. */
export async function listApprovals(
  ctx: Pick<Context, 'db'>,
  admin: UserRecord,
): Promise<NamedApproval[]> {
  requireAdmin(admin)
  return listApprovalsOf(ctx.db.read, admin.accountId)
}

async function requireApp(db: Db, appId: string) {
  if (!(await findApp(db, appId))) fail('NOT_FOUND', 'There is no app with this id.')
}

function requireAdmin(user: UserRecord) {
  if (!isAdmin(user)) fail('FORBIDDEN', 'Only admins and the owner of the account decide on apps.')
}
