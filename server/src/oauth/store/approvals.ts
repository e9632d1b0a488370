import { parseScopes } from '@skillpass/contract'
import { columnsOf, type Fields } from '../../db/fields.ts'
import { isPostgres } from '../../db/handle.ts'
import type { Db } from '../../db/open.ts'

const fields = [
  'accountId',
  'appId',
  'state',
  'requestedBy',
  'requestedAt',
  'decidedBy',
  'decidedAt',
] as const

/**
 * What an account has decided about an app. A refusal stays one while it waits for another decision;
 * `decidedAt` is null while it waits.
 */
export type ApprovalRecord = Pick<Fields<'approvals'>, (typeof fields)[number]>

const columns = columnsOf('approvals', fields)

const select = (db: Db, accountId: string, appId: string) =>
  db
    .selectFrom('approvals')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('app_id', '=', appId)

/** What the account has decided about the app, or was asked to. */
export const findApproval = (
  db: Db,
  accountId: string,
  appId: string,
): Promise<ApprovalRecord | undefined> => select(db, accountId, appId).executeTakeFirst()

/**
 * An approval for a transaction that relies on it: where an admin is deciding at this moment, it waits
 * for that, and the admin's next decision waits for the transaction.
 */
export async function holdApproval(
  trx: Db,
  accountId: string,
  appId: string,
): Promise<ApprovalRecord | undefined> {
  const query = select(trx, accountId, appId)
  return (isPostgres(trx) ? query.forShare() : query).executeTakeFirst()
}

/**
 * Asks the account's admins for an app; what waits or is approved stays as it is. A refusal keeps its
 * state, and with it the app shut, until an admin decides anew. False where nothing changed.
 */
export async function insertRequest(
  trx: Db,
  request: { accountId: string; appId: string; userId: string; now: number },
): Promise<boolean> {
  const asked = {
    requested_by: request.userId,
    requested_at: request.now,
    decided_by: null,
    decided_at: null,
  } as const
  const row = await trx
    .insertInto('approvals')
    .values({
      account_id: request.accountId,
      app_id: request.appId,
      state: 'requested',
      ...asked,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'app_id'])
        .doUpdateSet(asked)
        .where('approvals.state', 'in', ['declined', 'withdrawn'])
        .where('approvals.decided_at', 'is not', null),
    )
    .returning('state')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Notes a decision, asked for or not; `decidedBy` is null for the operator's. False where an app is
 * declined that is approved by now.
 */
export async function upsertDecision(
  trx: Db,
  decision: {
    accountId: string
    appId: string
    state: 'approved' | 'declined' | 'withdrawn'
    decidedBy: string | null
    now: number
  },
): Promise<boolean> {
  const { state, decidedBy, now } = decision
  const decided = { state, decided_by: decidedBy, decided_at: now }
  const row = await trx
    .insertInto('approvals')
    .values({
      account_id: decision.accountId,
      app_id: decision.appId,
      requested_by: null,
      requested_at: null,
      ...decided,
    })
    .onConflict((conflict) => {
      const update = conflict.columns(['account_id', 'app_id']).doUpdateSet(decided)
      return state === 'declined' ? update.where('approvals.state', '!=', 'approved') : update
    })
    .returning('state')
    .executeTakeFirst()
  return row !== undefined
}

/** An approval with the names that people know; its state is the one that is shown. */
export interface NamedApproval extends ApprovalRecord {
  appName: string
  /** Account that made the app. */
  developerName: string
  requestedByEmail: string | null
  /** What the app may ask the account's users for: scopes that they must allow, and optional ones. */
  scopes: string[]
  optionalScopes: string[]
}

const named = (db: Db, accountId: string) =>
  db
    .selectFrom('approvals')
    .innerJoin('apps', 'apps.id', 'approvals.app_id')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .innerJoin('clients', (join) =>
      join.onRef('clients.app_id', '=', 'apps.id').on('clients.environment', '=', 'production'),
    )
    .leftJoin('users', 'users.id', 'approvals.requested_by')
    .select([
      ...columns,
      'apps.name as appName',
      'accounts.name as developerName',
      'users.email as requestedByEmail',
      'clients.scopes as scopes',
      'clients.optional_scopes as optionalScopes',
    ])
    .where('approvals.account_id', '=', accountId)

/** What the account was asked or has decided about one app, with the names. */
export async function findNamedApproval(
  db: Db,
  accountId: string,
  appId: string,
): Promise<NamedApproval | undefined> {
  const found = await named(db, accountId).where('approvals.app_id', '=', appId).executeTakeFirst()
  return found && shown(found)
}

type NamedRow = Omit<NamedApproval, 'scopes' | 'optionalScopes'> &
  Record<'scopes' | 'optionalScopes', string>

/** What waits is a request to those who read it, refused before or not. */
const shown = (row: NamedRow): NamedApproval => ({
  ...row,
  state: row.decidedAt === null ? 'requested' : row.state,
  scopes: parseScopes(row.scopes),
  optionalScopes: parseScopes(row.optionalScopes),
})

/** Up to `limit` of what the account was asked and has decided, by the names of the apps. */
export async function listApprovalsOf(
  db: Db,
  {
    accountId,
    states,
    after,
    limit,
  }: {
    accountId: string
    /** All, or those in one of these states. */
    states?: readonly ApprovalRecord['state'][] | undefined
    /** Name and id of the app from behind which it goes on. */
    after?: readonly [name: string, id: string] | undefined
    limit: number
  },
): Promise<NamedApproval[]> {
  let query = named(db, accountId).orderBy('apps.name').orderBy('apps.id').limit(limit)
  if (states) {
    const decided = states.filter((state) => state !== 'requested')
    query = query.where((eb) => {
      const isDecided = eb.and([
        eb('approvals.state', 'in', decided),
        eb('approvals.decided_at', 'is not', null),
      ])
      const waits = eb('approvals.decided_at', 'is', null)
      return eb.or([
        ...(decided.length > 0 ? [isDecided] : []),
        ...(states.includes('requested') ? [waits] : []),
      ])
    })
  }
  if (after) {
    const [name, id] = after
    query = query.where((eb) =>
      eb.or([
        eb('apps.name', '>', name),
        eb.and([eb('apps.name', '=', name), eb('apps.id', '>', id)]),
      ]),
    )
  }
  return (await query.execute()).map(shown)
}
