import { parseScopes } from '@skillpass/contract'
import { expressionBuilder, sql } from 'kysely'
import {
  columnsOf,
  type Db,
  type Fields,
  hasRow,
  prepared,
  toRow,
  valuesOf,
} from '../../db/query.ts'
import type { EndReason, Resource, Schema } from '../../db/schema.ts'
import { withoutUndefined } from '../../text/case.ts'

export type { EndReason, Resource }

/** Fields that a grant and its access tokens share. */
export const accessFields = ['clientId', 'userId', 'accountId', 'scopes', 'resource'] as const

const fields = ['id', 'appId', 'createdAt', ...accessFields] as const

export const insertGrant = prepared((db, grant: Pick<Fields<'grants'>, (typeof fields)[number]>) =>
  db.insertInto('grants').values(toRow(grant, fields)),
)

/** Ends a grant and all its tokens. If the grant has already ended, the first reason is kept. */
export const endGrant = (trx: Db, id: string, reason: EndReason, now: number) =>
  trx
    .updateTable('grants')
    .set({ ended_at: now, end_reason: reason })
    .where((eb) => eb.and({ id, ended_at: null }))
    .execute()

/** Returns the scopes that a user has granted a client, over all active grants. */
export async function listGrantedScopes(
  db: Db,
  { clientId, appId, userId }: { clientId: string; appId: string; userId: string },
): Promise<string[]> {
  const query = db
    .selectFrom('grants')
    .select('scopes')
    .where((eb) => eb.and({ user_id: userId, app_id: appId, client_id: clientId, ended_at: null }))
  return [...new Set((await valuesOf(query, 'scopes')).flatMap(parseScopes))]
}

export async function countGrantsByScopes(
  db: Db,
  { clientId, appId }: { clientId: string; appId: string },
): Promise<{ scopes: string[]; count: number }[]> {
  const rows = await db
    .selectFrom('grants')
    .select((eb) => ['scopes', eb.fn.countAll<number>().as('count')])
    // Lets the query use the index on account and app. There are few accounts.
    .where('account_id', 'in', (eb) => eb.selectFrom('accounts').select('id'))
    .where((eb) => eb.and({ app_id: appId, client_id: clientId, ended_at: null }))
    .groupBy('scopes')
    .execute()
  return rows.map(({ scopes, count }) => ({ scopes: parseScopes(scopes), count: Number(count) }))
}

/** An app's access to a user's data. `since` is in milliseconds since 1970. */
export type Access = Awaited<ReturnType<typeof listUserGrants>>[number]

const activeGrants = (db: Db) =>
  db
    .selectFrom('grants')
    .innerJoin('apps', 'apps.id', 'grants.app_id')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .select([
      ...columnsOf('grants', ['appId', 'scopes']),
      'apps.name as name',
      'accounts.name as accountName',
      'grants.created_at as since',
    ])
    .where('grants.ended_at', 'is', null)

export const listUserGrants = (db: Db, userId: string) =>
  activeGrants(db).where('grants.user_id', '=', userId).orderBy('grants.created_at').execute()

/** Conditions for grants with scopes that reach other users. */
export const reachOthers = [
  sql<boolean>`(grants.scopes || ' ') like '%:admin %'`,
  sql<boolean>`(grants.scopes || ' ') like '%:master %'`,
]

/** Active grants of an account's users that give access to the whole account. */
const accountGrants = (db: Db, accountId: string) =>
  activeGrants(db)
    .where('grants.account_id', '=', accountId)
    .where((eb) =>
      eb.or([
        eb('apps.level', '=', 'account'),
        // A user-level app may still hold these scopes from when it was an account-level app.
        ...reachOthers,
      ]),
    )

export const hasAccountGrant = (db: Db, accountId: string, appId: string) =>
  hasRow(accountGrants(db, accountId).where('grants.app_id', '=', appId).limit(1))

/** Returns `accountGrants` with the users who allowed them, ordered by app name, then by time. */
export const listAccountGrants = (db: Db, accountId: string) =>
  accountGrants(db, accountId)
    .innerJoin('users', 'users.id', 'grants.user_id')
    .select(['users.id as userId', 'users.email as email'])
    .orderBy('apps.name')
    .orderBy('apps.id')
    .orderBy('grants.created_at')
    .orderBy('users.email')
    .execute()

type Granted = Pick<Schema, 'grants' | 'apps'> & { granter: Schema['users'] }

/**
 * Whether a grant gives access: it is active, its user is present and may use its app. The query
 * has joined `grants`, `apps` and, as `granter`, the grant's user, which is null if the grant was
 * deleted.
 */
export function isGrantUsable() {
  const eb = expressionBuilder<Granted, keyof Granted>()
  return eb.and([
    eb('granter.id', 'is not', null),
    eb('granter.removed_at', 'is', null),
    eb('granter.disabled_at', 'is', null),
    eb('grants.ended_at', 'is', null),
    eb.or([
      eb('apps.visibility', '=', 'public'),
      eb('apps.account_id', '=', eb.ref('granter.account_id')),
    ]),
  ])
}

/** Access of one user, an account's users or all users. `appId` limits it to one app. */
export interface AccessToEnd {
  readonly of: 'user_id' | 'account_id' | 'app_id'
  readonly id: string
  readonly appId?: string | undefined
  readonly reason: EndReason
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Ends grants, and the codes that could still become grants. */
export async function endGrants(trx: Db, ending: AccessToEnd) {
  // Codes first: a code that is being exchanged locks its row until its grant is visible.
  const counts = await endCodes(trx, ending)
  const { of, id, appId, reason, now } = ending
  const grants = await trx
    .updateTable('grants')
    .set({ ended_at: now, end_reason: reason })
    .where(of, '=', id)
    .where((eb) => eb.and({ ...withoutUndefined({ app_id: appId }), ended_at: null }))
    .returning(columnsOf('grants', ['appId', 'userId', 'accountId', 'clientId']))
    .execute()
  return { grants, ...counts }
}

/** Ends codes and counts those that could still become grants. */
async function endCodes(trx: Db, ending: AccessToEnd) {
  const { of, id, appId, reason, now } = ending
  const app = of === 'app_id' ? id : appId
  const user = { user_id: { id }, account_id: { account_id: id }, app_id: {} }[of]
  const users = trx
    .selectFrom('users')
    .select('id')
    .where((eb) => eb.and(user))
  const clients = trx
    .selectFrom('clients')
    .select('client_id')
    .where((eb) => eb.and(withoutUndefined({ app_id: app })))
  const end = (table: 'authorization_codes' | 'device_codes') =>
    trx
      .updateTable(table)
      .set({ end_reason: reason })
      .where('user_id', 'in', users)
      .where('client_id', 'in', clients)
      .where('end_reason', 'is', null)
  const codes = await end('authorization_codes').returning(['used_at', 'expires_at']).execute()
  const devices = await end('device_codes').returning(['state', 'expires_at']).execute()
  const open = ({ expires_at }: { expires_at: number }) => expires_at > now
  return {
    codes: codes.filter((code) => code.used_at === null && open(code)).length,
    devices: devices.filter((device) => device.state === 'authorized' && open(device)).length,
  }
}
