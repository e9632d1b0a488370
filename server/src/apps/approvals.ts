import { isStorable } from '@skillpass/contract'
import { currentOperator } from '../audit/operator.ts'
import { memberParty, type Recording, record, recordOnApp, userParty } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { type ListPage, namePlace, pageOf, placeOf } from '../db/page-token.ts'
import { fail } from '../errors/failure.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { isApproved } from '../oauth/refusals.ts'
import { endGrants } from '../oauth/store/grants.ts'
import { requireAdmin } from '../platform/roles.ts'
import { findAccount, updateRequireAppApproval } from '../platform/store/accounts.ts'
import type { UserRecord } from '../platform/store/user-record.ts'
import { writeRemovals } from '../webhooks/outbox.ts'
import {
  type ApprovalSelection,
  type AskedAccess,
  findApproval,
  findAskedAccess,
  findNamedApproval,
  insertRequest,
  listApprovalsOf,
  type NamedApproval,
  upsertApproval,
  upsertRefusal,
} from './store/approvals.ts'
import { findApp } from './store/apps.ts'

export type { AskedAccess, NamedApproval }

/** Who decides on apps for an account: an admin, or a token that reaches as far. */
export interface Decider {
  readonly accountId: string
  /** The user; null for an account token. */
  readonly id: string | null
  /** Null for an account token: whose app it is has decided what it reaches. */
  readonly role: UserRecord['role'] | null
}

/**
 * A user asks the admins of the account for an app. Asking again changes nothing, unless an admin refused
 * the app, or the app has changed since it was approved; that decision holds until the next one.
 */
export async function requestApproval(
  ctx: Recording & Pick<OAuthContext, 'db' | 'steadyNow'>,
  user: UserRecord,
  appId: string,
): Promise<void> {
  await requireApp(ctx.db.read, appId)
  const now = ctx.steadyNow()
  const { id: userId, accountId } = user
  await ctx.db.write(async (trx) => {
    const approval = await findApproval(trx, accountId, appId)
    const asked = await requireAsked(trx, accountId, appId)
    if (approval && isApproved(approval, allOf(asked))) return
    if (!(await insertRequest(trx, { accountId, appId, userId, now }))) return
    await recordOnApp(ctx, trx, { who: userParty(userId), accountId }, 'approval.requested', appId)
  })
}

/** What an admin decides about an app. */
export type ApprovalDecision = 'approved' | 'declined' | 'withdrawn'

/** What an admin saw of an app. */
export interface SeenApp {
  readonly name?: string | undefined
  readonly scopes?: readonly string[] | undefined
}

/**
 * An admin's decision about an app, asked for or not; a no ends all its tokens in the account at once
 * (OAuth spec §7, 4738), and a public app is told of each user who had allowed it. Throws 403, app_not_found, and
 * not_allowed_now for declining what is approved and for approving another app than the admin has `seen`.
 */
export async function decideApproval(
  ctx: Pick<
    OAuthContext,
    'clock' | 'db' | 'encryption' | 'network' | 'random' | 'steadyNow' | 'trace' | 'webhooks'
  >,
  admin: Decider,
  appId: string,
  state: ApprovalDecision,
  seen: SeenApp = {},
): Promise<NamedApproval> {
  requireAdmin(admin, onlyAdmins)
  await requireApp(ctx.db.read, appId)
  const { accountId, id: decidedBy } = admin
  const now = ctx.steadyNow()
  await ctx.db.write(async (trx) => {
    const who = memberParty({ userId: decidedBy, accountId })
    await recordOnApp(ctx, trx, { who, accountId }, `approval.${state}`, appId)
    if (state === 'approved') {
      const asked = await requireAsked(trx, accountId, appId)
      requireSeen(asked, seen)
      const present = await findApproval(trx, accountId, appId)
      if (present && present.decidedAt !== null && isApproved(present, allOf(asked))) return
      return upsertApproval(trx, { accountId, appId, decidedBy, ...allOf(asked), now })
    }
    const outcome = await upsertRefusal(trx, { accountId, appId, state, decidedBy, now })
    if (outcome === undefined) {
      fail('not_allowed_now', 'This app is approved. Withdraw the approval instead.')
    }
    if (outcome === 'approved') return
    // A declined app may have grants from before the account asked for approval.
    const ending = { of: 'account_id', id: accountId, appId, reason: 'withdrawn', now } as const
    const { grants } = await endGrants(trx, ending)
    await writeRemovals(ctx, trx, grants, now)
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
  const present = await findApproval(trx, accountId, appId)
  if (present?.state === 'declined' || present?.state === 'withdrawn') return present.state
  const asked = await requireAsked(trx, accountId, appId)
  if (present && isApproved(present, allOf(asked))) return undefined
  if (present?.state === 'approved' && !isDeclared) return 'changed'
  const operator = { who: currentOperator(), accountId }
  await recordOnApp({ ...ctx, network: null }, trx, operator, 'approval.approved', appId)
  const decision = { accountId, appId, decidedBy: null, now: ctx.steadyNow() }
  await upsertApproval(trx, { ...decision, ...allOf(asked) })
  return undefined
}

/** Throws not_allowed_now if the app has another name, or asks for more, than an admin saw. */
function requireSeen(asked: AskedAccess, seen: SeenApp): void {
  const { name, scopes } = allOf(asked)
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

/** Whether an approval that was given is not for the app as it is now. */
export const hasChanged = (approval: NamedApproval): boolean =>
  approval.approvedName !== null && !isApproved({ ...approval, state: 'approved' }, allOf(approval))

/**
 * A page of what the admin's account was asked for and has decided, by app: all, or what is in one of
 * some states. Throws 403 for a member, and validation_failed for a token of no page of these.
 */
export async function listApprovals(
  ctx: Pick<OAuthContext, 'db'>,
  admin: Decider,
  {
    states,
    after = '',
    limit,
  }: Pick<ApprovalSelection, 'states' | 'limit'> & { after?: string | undefined },
): Promise<ListPage<NamedApproval>> {
  requireAdmin(admin, onlyAdmins)
  const { accountId } = admin
  const list = `approvals ${accountId} ${states?.join(' ') ?? ''}`
  const selection = { accountId, states, after: placeOf(list, after, namePlace), limit: limit + 1 }
  const found = await listApprovalsOf(ctx.db.read, selection)
  return pageOf(list, found, limit, ({ appName, appId }) => [appName, appId])
}

/** What the admin's account was asked or has decided about an app. Throws 403 for a member. */
export async function findOwnApproval(
  ctx: Pick<OAuthContext, 'db'>,
  admin: Decider,
  appId: string,
): Promise<NamedApproval | undefined> {
  requireAdmin(admin, onlyAdmins)
  return isStorable(appId) ? findNamedApproval(ctx.db.read, admin.accountId, appId) : undefined
}

/** Whether an admin of the decider's account approves an app before its users may authorize it. */
export async function requiresApproval(
  ctx: Pick<OAuthContext, 'db'>,
  { accountId }: Pick<Decider, 'accountId'>,
): Promise<boolean> {
  const account = (await findAccount(ctx.db.read, accountId)) ?? fail('user_not_found')
  return account.requireAppApproval
}

/** Has the account approve apps, or not; what was allowed before lives on. Throws 403 for a member. */
export async function requireApprovals(
  ctx: Recording & Pick<OAuthContext, 'db'>,
  admin: Decider,
  isRequired: boolean,
): Promise<void> {
  requireAdmin(admin, onlyAdmins)
  const { id: userId, accountId } = admin
  await ctx.db.write(async (trx) => {
    if (!(await updateRequireAppApproval(trx, accountId, isRequired))) return
    await record(ctx, trx, {
      action: isRequired ? 'approval-setting.enabled' : 'approval-setting.disabled',
      who: memberParty({ userId, accountId }),
      accountId,
    })
  })
}

async function requireApp(db: Db, appId: string) {
  if (!isStorable(appId) || !(await findApp(db, appId))) fail('app_not_found')
}

const requireAsked = async (db: Db, accountId: string, appId: string) =>
  (await findAskedAccess(db, accountId, appId)) ?? fail('app_not_found')

const onlyAdmins = 'Only admins and the owner of the account can decide on apps.'
