import type { Db } from '../../db/open.ts'
import type { ApprovalTable } from '../../db/schema.ts'

/** What an account has decided about an app. Times are milliseconds since 1970. */
export interface ApprovalRecord {
  accountId: string
  appId: string
  state: ApprovalTable['state']
  requestedBy: string | null
  requestedAt: number | null
  decidedBy: string | null
  decidedAt: number | null
}

const columns = [
  'approvals.account_id as accountId',
  'approvals.app_id as appId',
  'approvals.state as state',
  'approvals.requested_by as requestedBy',
  'approvals.requested_at as requestedAt',
  'approvals.decided_by as decidedBy',
  'approvals.decided_at as decidedAt',
] as const

/** What the account has decided about the app, or was asked to. */
export async function findApproval(
  db: Db,
  accountId: string,
  appId: string,
): Promise<ApprovalRecord | undefined> {
  return db
    .selectFrom('approvals')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('app_id', '=', appId)
    .executeTakeFirst()
}

/** Asks the account's admins for an app; what waits or is approved stays as it is. */
export async function insertRequest(
  trx: Db,
  request: { accountId: string; appId: string; userId: string; now: number },
): Promise<void> {
  const asked = {
    state: 'requested',
    requested_by: request.userId,
    requested_at: request.now,
    decided_by: null,
    decided_at: null,
  } as const
  await trx
    .insertInto('approvals')
    .values({ account_id: request.accountId, app_id: request.appId, ...asked })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'app_id'])
        .doUpdateSet(asked)
        .where('approvals.state', 'in', ['declined', 'withdrawn']),
    )
    .execute()
}

/** Notes a decision, asked for or not; `decidedBy` is null for the operator's. */
export async function upsertDecision(
  trx: Db,
  decision: {
    accountId: string
    appId: string
    state: 'approved' | 'declined' | 'withdrawn'
    decidedBy: string | null
    now: number
  },
): Promise<void> {
  const { state, decidedBy, now } = decision
  const decided = { state, decided_by: decidedBy, decided_at: now }
  await trx
    .insertInto('approvals')
    .values({
      account_id: decision.accountId,
      app_id: decision.appId,
      requested_by: null,
      requested_at: null,
      ...decided,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'app_id']).doUpdateSet(decided))
    .execute()
}

/** An approval with the names that people know. */
export interface NamedApproval extends ApprovalRecord {
  appName: string
  /** Account that made the app. */
  developerName: string
  requestedByEmail: string | null
}

/** What the account was asked and has decided, by the names of the apps. */
export async function listApprovalsOf(db: Db, accountId: string): Promise<NamedApproval[]> {
  return db
    .selectFrom('approvals')
    .innerJoin('apps', 'apps.id', 'approvals.app_id')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .leftJoin('users', 'users.id', 'approvals.requested_by')
    .select([
      ...columns,
      'apps.name as appName',
      'accounts.name as developerName',
      'users.email as requestedByEmail',
    ])
    .where('approvals.account_id', '=', accountId)
    .orderBy('apps.name')
    .orderBy('apps.id')
    .execute()
}

/**
 * Ends what the account's users have allowed the app, and the codes that were about to become so.
 */
export async function endGrantsOfAccount(
  trx: Db,
  { accountId, appId, now }: { accountId: string; appId: string; now: number },
): Promise<void> {
  // Codes first: whoever exchanges one now is waited for, and then the grant is there to be ended.
  for (const table of ['authorization_codes', 'device_codes'] as const) {
    await trx
      .updateTable(table)
      .set({ end_reason: 'withdrawn' })
      .where('user_id', 'in', (eb) =>
        eb.selectFrom('users').select('id').where('account_id', '=', accountId),
      )
      .where('client_id', 'in', (eb) =>
        eb.selectFrom('clients').select('client_id').where('app_id', '=', appId),
      )
      .where('end_reason', 'is', null)
      .execute()
  }
  await trx
    .updateTable('grants')
    .set({ ended_at: now, end_reason: 'withdrawn' })
    .where('account_id', '=', accountId)
    .where('app_id', '=', appId)
    .where('ended_at', 'is', null)
    .execute()
}
