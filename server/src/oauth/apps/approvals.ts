import { isStorable } from '@skillpass/contract'
import { currentOperator, record, recordOnApp, userParty } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors/failure.ts'
import type { Context, OperatorContext } from '../../runtime/context.ts'
import { namePlace, type PageRequest, readPage } from '../../runtime/page-token.ts'
import * as store from '../../store/oauth/approvals.ts'
import { lockApp } from '../../store/oauth/apps.ts'
import { findAccount, updateRequireAppApproval } from '../../store/platform/accounts.ts'
import type { UserRecord } from '../../store/platform/users.ts'
import { endAccess } from '../end-access.ts'
import { isApproved } from '../refusals.ts'
import type { AppManager } from './app-manager.ts'

export type { NamedApproval, RequestedAccess } from '../../store/oauth/approvals.ts'

/**
 * Requests an admin's approval of an app. Has no effect if a request is pending or the approval
 * covers the app. An earlier decision applies until the next one.
 */
export async function requestApproval(ctx: Context, user: UserRecord, appId: string) {
  const { id: userId, accountId } = user
  await ctx.db.write(async (trx) => {
    const { requested, stored } = await lockRequestedAccess(trx, accountId, appId)
    const isPending = stored.requestedAt !== null && stored.decidedAt === null
    if (isPending || isApproved(stored, requested)) return
    const request = { requestedBy: userId, requestedAt: ctx.steadyNow() }
    await store.upsertApproval(trx, { ...stored, ...request, decidedBy: null, decidedAt: null })
    await recordOnApp(ctx, trx, { who: userParty(userId), accountId }, 'approval.requested', appId)
  })
}

type ApprovalDecision = 'approved' | 'declined' | 'withdrawn'

interface ReviewedApp {
  readonly name?: string | undefined
  readonly scopes?: readonly string[] | undefined
}

/**
 * Records an admin's decision about an app, requested or not. A refusal ends all the app's tokens
 * in the account (spec/oauth.md#errors, 4738), and a public app receives an event for each user.
 * Declining the pending request of an approved app keeps the approval. Throws 403, app_not_found,
 * and not_allowed_now when declining an approved app without a pending request, or when approving
 * an app that has changed since the admin saw it (`seen`).
 */
export async function decideApproval(
  ctx: Context,
  manager: AppManager,
  appId: string,
  state: ApprovalDecision,
  seen: ReviewedApp = {},
): Promise<store.NamedApproval> {
  requireAdmin(manager)
  const { accountId } = manager
  await ctx.db.write(async (trx) => {
    const { requested, stored } = await lockRequestedAccess(trx, accountId, appId)
    const decidedBy = manager.who.kind === 'user' ? manager.who.id : null
    const decision = { decidedBy, decidedAt: ctx.steadyNow() }
    const save = async (changes: Partial<store.ApprovalRecord>) => {
      await recordOnApp(ctx, trx, manager, `approval.${state}`, appId)
      await store.upsertApproval(trx, { ...stored, ...decision, ...changes })
    }
    if (state === 'approved') {
      requireUnchanged(requested, seen)
      if (stored.decidedAt !== null && isApproved(stored, requested)) return
      return save(approvalOf(requested))
    }
    if (state === 'declined' && stored.state === 'approved') {
      if (stored.decidedAt === null) return save({})
      fail('not_allowed_now', 'This app is approved. Withdraw the approval instead.')
    }
    // A declined app may have grants from before the account required approval.
    const access = { of: 'account_id', id: accountId, appId, reason: 'withdrawn' } as const
    const { grants, devices } = await endAccess(ctx, trx, access)
    const isRepeated = stored.state === state && stored.decidedAt !== null
    if (isRepeated && grants.length + devices === 0) return
    await save({ state, approvedName: null, approvedScopes: null })
  })
  return (await store.findNamedApproval(ctx.db.read, accountId, appId)) ?? fail('app_not_found')
}

/**
 * Approves an app for an account as the operator, in the caller's transaction. Does not override an
 * admin's refusal. Replaces an approval of an earlier version of the app only if the operator's
 * declaration contains the app (`isDeclared`). Returns the state that prevents the approval.
 */
export async function approveByOperator(
  ctx: OperatorContext,
  trx: Db,
  { accountId, appId, isDeclared }: { accountId: string; appId: string; isDeclared: boolean },
): Promise<'declined' | 'withdrawn' | 'changed' | undefined> {
  const { requested, stored } = await lockRequestedAccess(trx, accountId, appId)
  if (stored.state === 'declined' || stored.state === 'withdrawn') return stored.state
  if (isApproved(stored, requested)) return undefined
  if (stored.state === 'approved' && !isDeclared) return 'changed'
  const operator = { who: currentOperator(), accountId }
  await recordOnApp(ctx, trx, operator, 'approval.approved', appId)
  const decision = { decidedBy: null, decidedAt: ctx.steadyNow() }
  await store.upsertApproval(trx, { ...stored, ...decision, ...approvalOf(requested) })
  return undefined
}

/** The initial record for an account that has not decided about an app. */
const newApproval = (accountId: string, appId: string): store.ApprovalRecord => ({
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

const approvalOf = ({ name, scopes }: RequestedApp) =>
  ({ state: 'approved', approvedName: name, approvedScopes: scopes.join(' ') }) as const

/** Locks an app. Returns its requested access and its approval, maybe new. Throws app_not_found. */
async function lockRequestedAccess(trx: Db, accountId: string, appId: string) {
  const app = isStorable(appId) && (await lockApp(trx, appId))
  const requested = app && (await store.findRequestedAccess(trx, accountId, appId))
  if (!requested) fail('app_not_found')
  const stored = (await store.findApproval(trx, accountId, appId)) ?? newApproval(accountId, appId)
  return { requested: requestedAppOf(requested), stored }
}

/** Throws not_allowed_now if the app's name or scopes are not those that the admin saw. */
function requireUnchanged({ name, scopes }: RequestedApp, seen: ReviewedApp): void {
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
export const requestedAppOf = ({ appName, scopes, optionalScopes }: store.RequestedAccess) => ({
  name: appName,
  scopes: [...scopes, ...optionalScopes],
})

type RequestedApp = ReturnType<typeof requestedAppOf>

/** Whether an app was approved and has changed so that the approval no longer covers it. */
export const hasChanged = (approval: store.NamedApproval): boolean =>
  approval.approvedName !== null &&
  !isApproved({ ...approval, state: 'approved' }, requestedAppOf(approval))

/**
 * Returns a page of the account's approvals and requests, sorted by app name. Without `states`, it
 * includes all states. Throws 403 for a member, and validation_failed for an invalid page token.
 */
export async function listApprovals(
  { db }: Context,
  manager: AppManager,
  states: readonly store.ApprovalRecord['state'][] | undefined,
  page: PageRequest,
) {
  requireAdmin(manager)
  const { accountId } = manager
  return readPage(
    `approvals ${accountId} ${states?.join(' ') ?? ''}`,
    namePlace,
    page,
    (after, limit) => store.listApprovalsOf(db.read, accountId, states, { after, limit }),
    ({ appName, appId }) => [appName, appId],
  )
}

/** Finds the account's approval or request for an app. Throws 403 for a member. */
export async function findAccountApproval(ctx: Context, manager: AppManager, appId: string) {
  requireAdmin(manager)
  return isStorable(appId)
    ? store.findNamedApproval(ctx.db.read, manager.accountId, appId)
    : undefined
}

/** Whether the account requires an admin's approval before users may authorize an app. */
export async function requiresApproval(
  ctx: Context,
  { accountId }: Pick<AppManager, 'accountId'>,
): Promise<boolean> {
  const account = (await findAccount(ctx.db.read, accountId)) ?? fail('user_not_found')
  return account.requireAppApproval
}

/** Changes whether the account requires approval of new grants. Throws 403 for a member. */
export async function requireApprovals(ctx: Context, manager: AppManager, isRequired: boolean) {
  requireAdmin(manager)
  const { accountId, who } = manager
  await ctx.db.write(async (trx) => {
    if (!(await updateRequireAppApproval(trx, accountId, isRequired))) return
    const action = isRequired ? 'approval-setting.enabled' : 'approval-setting.disabled'
    await record(ctx, trx, { action, who, accountId })
  })
}

function requireAdmin({ managesAllApps }: AppManager): void {
  if (!managesAllApps) fail(403, 'Only admins and the owner of the account can manage approvals.')
}
