import { isStorable } from '@skillpass/contract'
import { currentOperator } from '../audit/operator.ts'
import { type Recording, record, recordOnApp, userParty } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { type ListPage, namePlace, type PageAsked, readPage } from '../db/page-token.ts'
import { fail } from '../errors/failure.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { endAccess } from '../oauth/end-access.ts'
import { isApproved } from '../oauth/refusals.ts'
import { findAccount, updateRequireAppApproval } from '../platform/store/accounts.ts'
import type { UserRecord } from '../platform/store/user-record.ts'
import type { Developer } from './developer.ts'
import {
  type ApprovalRecord,
  type AskedAccess,
  findApproval,
  findAskedAccess,
  findNamedApproval,
  listApprovalsOf,
  type NamedApproval,
  saveApproval,
} from './store/approvals.ts'
import { holdApp } from './store/apps.ts'

export type { AskedAccess, NamedApproval }

/**
 * Requests an admin's approval of an app. Has no effect if a request is pending or the approval
 * covers the app. An earlier decision applies until the next one.
 */
export async function requestApproval(
  ctx: OAuthContext,
  user: UserRecord,
  appId: string,
): Promise<void> {
  const { id: userId, accountId } = user
  await ctx.db.write(async (trx) => {
    const { asked, kept } = await holdAsked(trx, accountId, appId)
    if (kept && (kept.decidedAt === null || isApproved(kept, asked))) return
    await saveApproval(trx, {
      ...(kept ?? noApproval(accountId, appId)),
      requestedBy: userId,
      requestedAt: ctx.steadyNow(),
      decidedBy: null,
      decidedAt: null,
    })
    await recordOnApp(ctx, trx, { who: userParty(userId), accountId }, 'approval.requested', appId)
  })
}

export type ApprovalDecision = 'approved' | 'declined' | 'withdrawn'

interface SeenApp {
  readonly name?: string | undefined
  readonly scopes?: readonly string[] | undefined
}

/**
 * Records an admin's decision about an app, requested or not. A refusal ends all the app's tokens
 * in the account (spec/oauth.md#errors, 4738), and a public app receives an event for each user.
 * Declining the pending request of an approved app keeps the approval. Throws 403, app_not_found,
 * and not_allowed_now when declining an approved app without a pending request or approving an app
 * that differs from what the admin has `seen`.
 */
export async function decideApproval(
  ctx: OAuthContext,
  admin: Developer,
  appId: string,
  state: ApprovalDecision,
  seen: SeenApp = {},
): Promise<NamedApproval> {
  requireAdmin(admin)
  const { accountId } = admin
  await ctx.db.write(async (trx) => {
    const { asked, kept = noApproval(accountId, appId) } = await holdAsked(trx, accountId, appId)
    await recordOnApp(ctx, trx, admin, `approval.${state}`, appId)
    const decidedBy = admin.who.kind === 'user' ? admin.who.id : null
    const decision = { decidedBy, decidedAt: ctx.steadyNow() }
    if (state === 'approved') {
      requireSeen(asked, seen)
      if (kept.decidedAt !== null && isApproved(kept, asked)) return
      return saveApproval(trx, { ...kept, ...decision, ...approvalOf(asked) })
    }
    if (state === 'declined' && kept.state === 'approved') {
      if (kept.decidedAt === null) return saveApproval(trx, { ...kept, ...decision })
      fail('not_allowed_now', 'This app is approved. Withdraw the approval instead.')
    }
    const refused = { state, approvedName: null, approvedScopes: null }
    await saveApproval(trx, { ...kept, ...decision, ...refused })
    // A declined app may have grants from before the account required approval.
    await endAccess(ctx, trx, { of: 'account_id', id: accountId, appId, reason: 'withdrawn' })
  })
  ctx.webhooks.wake()
  return (await findNamedApproval(ctx.db.read, accountId, appId)) ?? fail('app_not_found')
}

/**
 * Approves an app for an account as the operator, in the caller's transaction. Does not override an
 * admin's refusal, nor an approval of an earlier version of the app unless `isDeclared`; returns
 * that state instead.
 */
export async function approveByOperator(
  ctx: Recording & Pick<OAuthContext, 'steadyNow'>,
  trx: Db,
  { accountId, appId, isDeclared }: { accountId: string; appId: string; isDeclared: boolean },
): Promise<'declined' | 'withdrawn' | 'changed' | undefined> {
  const { asked, kept = noApproval(accountId, appId) } = await holdAsked(trx, accountId, appId)
  if (kept.state === 'declined' || kept.state === 'withdrawn') return kept.state
  if (isApproved(kept, asked)) return undefined
  if (kept.state === 'approved' && !isDeclared) return 'changed'
  const operator = { who: currentOperator(), accountId }
  await recordOnApp(ctx, trx, operator, 'approval.approved', appId)
  const decision = { decidedBy: null, decidedAt: ctx.steadyNow() }
  await saveApproval(trx, { ...kept, ...decision, ...approvalOf(asked) })
  return undefined
}

/** The initial record for an account that has not decided about an app. */
const noApproval = (accountId: string, appId: string): ApprovalRecord => ({
  accountId,
  appId,
  state: 'requested',
  requestedBy: null,
  requestedAt: null,
  decidedBy: null,
  decidedAt: null,
  approvedName: null,
  approvedScopes: null,
})

const approvalOf = ({ name, scopes }: AskedApp) =>
  ({ state: 'approved', approvedName: name, approvedScopes: scopes.join(' ') }) as const

/** Locks an app and returns its requested access and its approval. Throws app_not_found. */
async function holdAsked(trx: Db, accountId: string, appId: string) {
  const app = isStorable(appId) && (await holdApp(trx, appId))
  const asked = app && (await findAskedAccess(trx, accountId, appId))
  if (!asked) fail('app_not_found')
  return { asked: allOf(asked), kept: await findApproval(trx, accountId, appId) }
}

/** Throws not_allowed_now if the app's name or scopes are not those that the admin saw. */
function requireSeen({ name, scopes }: AskedApp, seen: SeenApp): void {
  const isSeen =
    (seen.name === undefined || seen.name === name) &&
    scopes.every((scope) => seen.scopes?.includes(scope) !== false)
  if (!isSeen) {
    fail(
      'not_allowed_now',
      'The name of this app, or what it asks for, has changed since you opened it. Review it again, then decide.',
    )
  }
}

/** The name and all the scopes that an approval of the app would cover now. */
export const allOf = ({ appName, scopes, optionalScopes }: AskedAccess) => ({
  name: appName,
  scopes: [...scopes, ...optionalScopes],
})

type AskedApp = ReturnType<typeof allOf>

/** Whether an app was approved and has changed so that the approval no longer covers it. */
export const hasChanged = (approval: NamedApproval): boolean =>
  approval.approvedName !== null && !isApproved({ ...approval, state: 'approved' }, allOf(approval))

/**
 * A page of the account's approvals and requests by app name, optionally of some states only.
 * Throws 403 for a member, and validation_failed for an invalid page token.
 */
export async function listApprovals(
  { db }: OAuthContext,
  admin: Developer,
  states: readonly ApprovalRecord['state'][] | undefined,
  asked: PageAsked,
): Promise<ListPage<NamedApproval>> {
  requireAdmin(admin)
  const { accountId } = admin
  return readPage(
    `approvals ${accountId} ${states?.join(' ') ?? ''}`,
    namePlace,
    asked,
    (after, limit) => listApprovalsOf(db.read, accountId, states, { after, limit }),
    ({ appName, appId }) => [appName, appId],
  )
}

/** The account's approval or request for an app. Throws 403 for a member. */
export async function findOwnApproval(
  ctx: OAuthContext,
  admin: Developer,
  appId: string,
): Promise<NamedApproval | undefined> {
  requireAdmin(admin)
  return isStorable(appId) ? findNamedApproval(ctx.db.read, admin.accountId, appId) : undefined
}

/** Whether the account requires an admin's approval before users may authorize an app. */
export async function requiresApproval(
  ctx: OAuthContext,
  { accountId }: Pick<Developer, 'accountId'>,
): Promise<boolean> {
  const account = (await findAccount(ctx.db.read, accountId)) ?? fail('user_not_found')
  return account.requireAppApproval
}

/** Changes whether the account requires approval of new grants. Throws 403 for a member. */
export async function requireApprovals(
  ctx: OAuthContext,
  admin: Developer,
  isRequired: boolean,
): Promise<void> {
  requireAdmin(admin)
  const { accountId, who } = admin
  await ctx.db.write(async (trx) => {
    if (!(await updateRequireAppApproval(trx, accountId, isRequired))) return
    const action = isRequired ? 'approval-setting.enabled' : 'approval-setting.disabled'
    await record(ctx, trx, { action, who, accountId })
  })
}

function requireAdmin({ seesAll }: Developer): void {
  if (!seesAll) fail(403, 'Only admins and the owner of the account can manage approvals.')
}
