import { parseScopes } from '@skillpass/contract'
import { sql } from 'kysely'
import { columnsOf, type Db, type Fields, isPostgres, toRow } from '../../db/query.ts'

const fieldsButState = [
  ...(['accountId', 'appId', 'requestedBy', 'requestedAt'] as const),
  ...(['decidedBy', 'decidedAt', 'approvedName', 'approvedScopes'] as const),
] as const
const fields = [...fieldsButState, 'state'] as const

/**
 * An account's decision about an app. While another request is pending, the decision still applies
 * and `decidedAt` is null.
 */
export type ApprovalRecord = Pick<Fields<'approvals'>, (typeof fields)[number]>

const select = (db: Db, accountId: string, appId: string) =>
  db
    .selectFrom('approvals')
    .select(columnsOf('approvals', fields))
    .where((eb) => eb.and({ account_id: accountId, app_id: appId }))

export const findApproval = (db: Db, accountId: string, appId: string) =>
  select(db, accountId, appId).executeTakeFirst()

/**
 * Finds an approval and locks it for the transaction, so that an admin's concurrent decision
 * takes effect either before or after the transaction.
 */
export async function lockApproval(trx: Db, accountId: string, appId: string) {
  const query = select(trx, accountId, appId)
  return (isPostgres(trx) ? query.forShare() : query).executeTakeFirst()
}

export async function upsertApproval(trx: Db, approval: ApprovalRecord): Promise<void> {
  const row = toRow(approval, fields)
  await trx
    .insertInto('approvals')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'app_id']).doUpdateSet(row))
    .execute()
}

export interface RequestedAccess {
  appName: string
  /** Required scopes, and scopes that the user can decline. */
  scopes: string[]
  optionalScopes: string[]
}

/**
 * Apps with the scopes that they may request from users of an account. In the app's own account,
 * these include those of the development credentials.
 */
const requestingApps = (db: Db, accountId: string) =>
  db
    .selectFrom('apps')
    .innerJoin('clients as production', (join) =>
      join
        .onRef('production.app_id', '=', 'apps.id')
        .on('production.environment', '=', 'production'),
    )
    .leftJoin('clients as development', (join) =>
      join
        .onRef('development.app_id', '=', 'apps.id')
        .on('development.environment', '=', 'development')
        .on('apps.account_id', '=', accountId),
    )
    .select([
      'apps.name as appName',
      'production.scopes as scopes',
      'production.optional_scopes as optionalScopes',
      'development.scopes as developmentScopes',
      'development.optional_scopes as developmentOptionalScopes',
    ])

interface RequestingRow extends Record<'appName' | 'scopes' | 'optionalScopes', string> {
  developmentScopes: string | null
  developmentOptionalScopes: string | null
}

function requestedAccessOf(row: RequestingRow): RequestedAccess {
  const { appName, developmentScopes, developmentOptionalScopes } = row
  const scopes = parseScopes(`${row.scopes} ${developmentScopes ?? ''}`)
  const optional = parseScopes(`${row.optionalScopes} ${developmentOptionalScopes ?? ''}`)
  return { appName, scopes, optionalScopes: optional.filter((one) => !scopes.includes(one)) }
}

export async function findRequestedAccess(db: Db, accountId: string, appId: string) {
  const row = await requestingApps(db, accountId).where('apps.id', '=', appId).executeTakeFirst()
  return row && requestedAccessOf(row)
}

/** An approval with display names. The state of a pending request is `requested`. */
export interface NamedApproval extends ApprovalRecord, RequestedAccess {
  developerName: string
  requestedByEmail: string | null
}

const shownState = sql<ApprovalRecord['state']>`
  case when approvals.decided_at is null then 'requested' else approvals.state end`

const named = (db: Db, accountId: string) =>
  requestingApps(db, accountId)
    .innerJoin('approvals', 'approvals.app_id', 'apps.id')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .leftJoin('users', 'users.id', 'approvals.requested_by')
    .select(columnsOf('approvals', fieldsButState))
    .select(['accounts.name as developerName', 'users.email as requestedByEmail'])
    .select(shownState.as('state'))
    .where('approvals.account_id', '=', accountId)

export async function findNamedApproval(db: Db, accountId: string, appId: string) {
  const found = await named(db, accountId).where('approvals.app_id', '=', appId).executeTakeFirst()
  return found && toNamedApproval(found)
}

type NamedRow = Omit<NamedApproval, keyof RequestedAccess> & RequestingRow

const toNamedApproval = (row: NamedRow): NamedApproval => ({ ...row, ...requestedAccessOf(row) })

/** Up to `limit` approvals and requests of an account, by app name. */
export async function listApprovalsOf(
  db: Db,
  accountId: string,
  states: readonly ApprovalRecord['state'][] | undefined,
  { after, limit }: { after: readonly [name: string, id: string] | undefined; limit: number },
): Promise<NamedApproval[]> {
  let query = named(db, accountId).orderBy('apps.name').orderBy('apps.id').limit(limit)
  if (states) query = query.where(shownState, 'in', states)
  if (after) {
    query = query.where((eb) => eb(eb.refTuple('apps.name', 'apps.id'), '>', eb.tuple(...after)))
  }
  return (await query.execute()).map(toNamedApproval)
}
