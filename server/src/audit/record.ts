import type { Context } from '../context/context.ts'
import type { Db } from '../db/open.ts'
import { insertEntry } from './store/entries.ts'

/** Every act that the log tells of. */
export const auditActions = [
  'sign-in',
  'sign-in.failed',
  'consent.allowed',
  'consent.denied',
  'device.allowed',
  'device.denied',
  'approval.requested',
  'approval.approved',
  'approval.declined',
  'approval.withdrawn',
  'approval-setting.enabled',
  'approval-setting.disabled',
  'agent.registered',
  'agent.blocked',
  'agent.unblocked',
  'agent.signing-key-registered',
  'agent.signing-key-reset',
  'api-key.created',
  'api-key.revoked',
  'app.registered',
  'app.changed',
  'app.deleted',
  'app.disabled',
  'app.enabled',
  'app.removed',
  'app.removed-for-account',
  'client-secret.rotated',
  'tokens.revoked',
  'webhook-secret.rotated',
  'user.created',
  'user.disabled',
  'user.enabled',
  'user.removed',
  'skill.deleted',
  'skill.hidden',
  'skill.shown',
  'skill.original-decided',
  'skill.answered',
  'skill.released',
  'skill.held',
  'feedback.removed',
  'report.resolved',
  'verification.verified',
  'operator.apply',
  'operator.backup',
  'operator.encryption-rotated',
  'operator.import',
  'operator.migrated-down',
  'operator.restored',
] as const

export type AuditAction = (typeof auditActions)[number]

/** Somebody or something that an entry names by id: never by an email, a name or a secret. */
export interface Party {
  readonly kind: 'agent' | 'user' | 'account' | 'operator' | 'app' | 'client' | 'api-key' | 'skill'
  readonly id: string
}

/** One act: who did what to whom. */
export interface Act {
  readonly action: AuditAction
  /** Absent where nobody is known to have done it. */
  readonly who?: Party | undefined
  readonly whom?: Party | undefined
  /** The account whose owner may read the entry. */
  readonly accountId?: string | undefined
  /** How often it was done, where several acts share an entry. */
  readonly count?: number
  /** What the operator gave as the reason, or how much was done. */
  readonly note?: string | undefined
}

/** What writing an entry takes. */
export type Recording = Pick<Context, 'clock' | 'random' | 'network'>

/** A user as a party of an act. */
export const userParty = (id: string): Party => ({ kind: 'user', id })

/** An agent as a party of an act. */
export const agentParty = (id: string): Party => ({ kind: 'agent', id })

/** Who acts by a token or in the console: the user, or the account where there is none. */
export const memberParty = (member: { userId: string | null; accountId: string }): Party =>
  member.userId === null ? { kind: 'account', id: member.accountId } : userParty(member.userId)

/** Writes the entry of an act in the transaction of the act, so that neither is kept without the other. */
export async function record(ctx: Recording, trx: Db, act: Act): Promise<void> {
  await insertEntry(trx, {
    id: ctx.random.uuid(),
    at: ctx.clock.now(),
    action: act.action,
    whoKind: act.who?.kind ?? 'unknown',
    who: act.who?.id ?? null,
    whomKind: act.whom?.kind ?? null,
    whom: act.whom?.id ?? null,
    accountId: act.accountId ?? null,
    network: ctx.network,
    count: act.count ?? 1,
    note: act.note ?? null,
  })
}

/** Records what somebody of an account has done with an app. */
export const recordOnApp = (
  ctx: Recording,
  trx: Db,
  { who, accountId }: { readonly who: Party; readonly accountId: string },
  action: AuditAction,
  appId: string,
  note?: string,
): Promise<void> =>
  record(ctx, trx, { action, who, whom: { kind: 'app', id: appId }, accountId, note })
