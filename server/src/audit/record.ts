import { userInfo } from 'node:os'
import type { Db } from '../db/open.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { insertEntry } from '../store/audit.ts'

/** Returns the operating system user who runs the command. */
export function currentOperator(): Party {
  try {
    return { kind: 'operator', id: userInfo().username }
  } catch {
    // In a container the user may have no name.
    return { kind: 'operator', id: `uid ${process.getuid?.() ?? 'unknown'}` }
  }
}

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
  'account.created',
  'account.changed',
  'agent.registered',
  'agent.signed-in',
  'agent.changed',
  'agent.blocked',
  'agent.unblocked',
  'agent.signing-key-registered',
  'agent.signing-key-reset',
  'api-key.created',
  'api-key.revoked',
  'trusted-publisher.created',
  'trusted-publisher.deleted',
  'app.registered',
  'app.changed',
  'app.deleted',
  'app.disabled',
  'app.enabled',
  'app.removed',
  'app.removed-for-account',
  'client-secret.rotated',
  'tokens.revoked',
  'webhook.created',
  'webhook.deleted',
  'webhook-secret.rotated',
  'user.created',
  'user.changed',
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
  'version.withdrawn',
  'version.restored',
  'version.deprecated',
  'version.undeprecated',
  'version.approved',
  'version.declined',
  'feedback.removed',
  'organization.created',
  'organization.changed',
  'organization.deleted',
  'member.added',
  'member.removed',
  'member.role-changed',
  'invitation.created',
  'invitation.accepted',
  'invitation.revoked',
  'mirror.added',
  'mirror.refused',
  'mirror.removed',
  'repository.visibility-changed',
  'repository.transferred',
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

/** A party of an entry, by id. Never contains an email, a name or a secret. */
export interface Party {
  readonly kind:
    | 'agent'
    | 'organization'
    | 'user'
    | 'account'
    | 'operator'
    | 'app'
    | 'client'
    | 'api-key'
    | 'repository'
    | 'skill'
  readonly id: string
}

/** An action to record: who did what to whom. */
export interface AuditEvent {
  readonly action: AuditAction
  /** Absent if unknown. */
  readonly who?: Party | undefined
  readonly whom?: Party | undefined
  /** The account whose owner may read the entry. */
  readonly accountId?: string | undefined
  /** How often it happened, if several events share an entry. */
  readonly count?: number
  /** The operator's reason, or details. */
  readonly note?: string | undefined
}

export const userParty = (id: string): Party => ({ kind: 'user', id })

export const agentParty = (id: string): Party => ({ kind: 'agent', id })

/**
 * Returns the user who acts by a token or in the console, or the account for a token without a
 * user.
 */
export const memberParty = (member: { userId: string | null; accountId: string }): Party =>
  member.userId === null ? { kind: 'account', id: member.accountId } : userParty(member.userId)

/** Writes an entry in the transaction of the action, so that either both or neither are stored. */
export async function record(
  ctx: Pick<OperatorContext, 'clock' | 'network' | 'random'>,
  trx: Db,
  event: AuditEvent,
): Promise<void> {
  await insertEntry(trx, {
    id: ctx.random.uuid(),
    at: ctx.clock.now(),
    action: event.action,
    whoKind: event.who?.kind ?? 'unknown',
    who: event.who?.id ?? null,
    whomKind: event.whom?.kind ?? null,
    whom: event.whom?.id ?? null,
    accountId: event.accountId ?? null,
    network: ctx.network,
    count: event.count ?? 1,
    note: event.note ?? null,
  })
}

/** Records an action of a member of an account on an app. */
export const recordOnApp = (
  ctx: OperatorContext,
  trx: Db,
  { who, accountId }: { readonly who: Party; readonly accountId: string },
  action: AuditAction,
  appId: string,
  note?: string,
): Promise<void> =>
  record(ctx, trx, { action, who, whom: { kind: 'app', id: appId }, accountId, note })
