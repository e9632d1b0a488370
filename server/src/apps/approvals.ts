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
 * A user asks the admins of the account for an app. Asking again changes nothing, unless an admin refused
 * the app, or the app has changed since it was approved; that decision holds until the next one.
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
 * An admin's decision about an app, asked for or not; a no ends all its tokens in the account at once
 * (OAuth spec §7, 4738), and a public app is told of each user who had allowed it. Declining what an approved
 * app asks for beyond its approval leaves the approval as it is. Throws 403, app_not_found, and
 * not_allowed_now for declining what is approved and for approving another app than the admin has `seen`.
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
    // A declined app may have grants from before the account asked for approval.
    await endAccess(ctx, trx, { of: 'account_id', id: accountId, appId, reason: 'withdrawn' })
  })
  ctx.webhooks.wake()
  return (await findNamedApproval(ctx.db.read, accountId, appId)) ?? fail('app_not_found')
}

/**
 * The operator allows an app for an account, in the caller's transaction. An admin's no stays and is
 * returned. So is an approval of the app as it was, unless the operator has just declared the app.
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

/** What an account that has decided nothing about an app keeps of it. */
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

/**
 * What an app asks an account for, and what the account has decided; others who decide about the app wait
 * for the transaction. Throws app_not_found.
 */
async function holdAsked(trx: Db, accountId: string, appId: string) {
  const app = isStorable(appId) && (await holdApp(trx, appId))
  const asked = app && (await findAskedAccess(trx, accountId, appId))
  if (!asked) fail('app_not_found')
  return { asked: allOf(asked), kept: await findApproval(trx, accountId, appId) }
}

/** Throws not_allowed_now if the app has another name, or asks for more, than an admin saw. */
function requireSeen({ name, scopes }: AskedApp, seen: SeenApp): void {
  const isSeen =
    (seen.name === undefined || seen.name === name) &&
    scopes.every((scope) => seen.scopes?.includes(scope) !== false)
  if (!isSeen) {
    fail(
      'not_allowed_now',
      'The name of this app, or what it asks for, has changed since you looked at it. Look again, then decide.',
    )
  }
}

/** The name and the scopes that an approval of an app as it is now is for. */
export const allOf = ({ appName, scopes, optionalScopes }: AskedAccess) => ({
  name: appName,
  scopes: [...scopes, ...optionalScopes],
})

type AskedApp = ReturnType<typeof allOf>

/** Whether an approval that was given is not for the app as it is now. */
export const hasChanged = (approval: NamedApproval): boolean =>
  approval.approvedName !== null && !isApproved({ ...approval, state: 'approved' }, allOf(approval))

/**
 * A page of what the admin's account was asked for and has decided, by app: all, or what is in one of
 * some states. Throws 403 for a member, and validation_failed for a token of no page of these.
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

/** What the admin's account was asked or has decided about an app. Throws 403 for a member. */
export async function findOwnApproval(
  ctx: OAuthContext,
  admin: Developer,
  appId: string,
): Promise<NamedApproval | undefined> {
  requireAdmin(admin)
  return isStorable(appId) ? findNamedApproval(ctx.db.read, admin.accountId, appId) : undefined
}

/** Whether an admin of the account approves an app before its users may authorize it. */
export async function requiresApproval(
  ctx: OAuthContext,
  { accountId }: Pick<Developer, 'accountId'>,
): Promise<boolean> {
  const account = (await findAccount(ctx.db.read, accountId)) ?? fail('user_not_found')
  return account.requireAppApproval
}

/** Has the account approve apps, or not; what was allowed before lives on. Throws 403 for a member. */
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
  if (!seesAll) fail(403, 'Only admins and the owner of the account can decide on apps.')
}
