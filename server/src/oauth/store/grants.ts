import { parseScopes } from '@skillpass/contract'
import { sql } from 'kysely'
import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'
import type { EndReason } from '../../db/schema.ts'

export type { EndReason }

const fields = ['id', 'clientId', 'appId', 'userId', 'accountId', 'scopes', 'createdAt'] as const

export const insertGrant = prepared((db, grant: Pick<Fields<'grants'>, (typeof fields)[number]>) =>
  db.insertInto('grants').values(toRow(grant, fields)),
)

/** Ends a grant and with it all its tokens; the first reason stays. */
export async function endGrant(trx: Db, id: string, reason: EndReason, now: number): Promise<void> {
  await trx
    .updateTable('grants')
    .set({ ended_at: now, end_reason: reason })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

/** What a user has allowed the app until now, over all living grants of one client. */
export async function listGrantedScopes(
  db: Db,
  { clientId, appId, userId }: { clientId: string; appId: string; userId: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('grants')
    .select('scopes')
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .where('client_id', '=', clientId)
    .where('ended_at', 'is', null)
    .execute()
  return [...new Set(rows.flatMap(({ scopes }) => parseScopes(scopes)))]
}

/** The different sets of scopes that living grants of a client have, each with how many have it. */
export async function countGrantsByScopes(
  db: Db,
  { clientId, appId }: { clientId: string; appId: string },
): Promise<{ scopes: string[]; count: number }[]> {
  const rows = await db
    .selectFrom('grants')
    .select((eb) => ['scopes', eb.fn.countAll<number>().as('count')])
    // So that the index by account and app serves: there are far fewer accounts than grants.
    .where('account_id', 'in', (eb) => eb.selectFrom('accounts').select('id'))
    .where('app_id', '=', appId)
    .where('client_id', '=', clientId)
    .where('ended_at', 'is', null)
    .groupBy('scopes')
    .execute()
  return rows.map(({ scopes, count }) => ({ scopes: parseScopes(scopes), count: Number(count) }))
}

/** What a user has allowed an app. `since` is in milliseconds since 1970. */
export type Access = Awaited<ReturnType<typeof listUserGrants>>[number]

const living = (db: Db) =>
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
  living(db).where('grants.user_id', '=', userId).orderBy('grants.created_at').execute()

/** The living grants of an account's users that open it as a whole. */
const accountGrants = (db: Db, accountId: string) =>
  living(db)
    .where('grants.account_id', '=', accountId)
    .where((eb) =>
      eb.or([
        eb('apps.level', '=', 'account'),
        // An app keeps such scopes when its developer makes it a user-level one.
        sql<boolean>`(grants.scopes || ' ') like '%:admin %'`,
        sql<boolean>`(grants.scopes || ' ') like '%:master %'`,
      ]),
    )

export async function reachesAccount(db: Db, accountId: string, appId: string): Promise<boolean> {
  const found = await accountGrants(db, accountId)
    .where('grants.app_id', '=', appId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * What users of an account have allowed apps for all of it, by the name of the app, then by time: of
 * account-level apps, and what holds an admin or master scope.
 */
export const listAccountGrants = (db: Db, accountId: string) =>
  accountGrants(db, accountId)
    .innerJoin('users', 'users.id', 'grants.user_id')
    .select(['users.id as userId', 'users.email as email'])
    .orderBy('apps.name')
    .orderBy('apps.id')
    .orderBy('grants.created_at')
    .orderBy('users.email')
    .execute()

/** Whose access ends: of one user, of the users of an account, or of all; to one app where it is named. */
export interface Ending {
  readonly of: 'user_id' | 'account_id' | 'app_id'
  readonly id: string
  readonly appId?: string | undefined
  readonly reason: EndReason
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Ends what users have allowed, and the codes that were about to become grants. */
export async function endGrants(trx: Db, ending: Ending) {
  // Codes first: one that is being exchanged holds its row until its grant can be seen.
  const devices = await endCodes(trx, ending)
  const { of, id, appId, reason, now } = ending
  const grants = await trx
    .updateTable('grants')
    .set({ ended_at: now, end_reason: reason })
    .where(of, '=', id)
    .$if(appId !== undefined, (query) => query.where('app_id', '=', appId ?? ''))
    .where('ended_at', 'is', null)
    .returning(columnsOf('grants', ['appId', 'userId', 'accountId', 'clientId']))
    .execute()
  return { grants, devices }
}

/**
 * Ends the codes that users have allowed. Gives how many of them are of devices that would have
 * connected with their next poll.
 */
async function endCodes(trx: Db, ending: Ending): Promise<number> {
  const { of, id, appId, reason, now } = ending
  const app = of === 'app_id' ? id : appId
  const users = trx
    .selectFrom('users')
    .select('id')
    .$if(of !== 'app_id', (query) => query.where(of === 'user_id' ? 'id' : 'account_id', '=', id))
  const clients = trx
    .selectFrom('clients')
    .select('client_id')
    .$if(app !== undefined, (query) => query.where('app_id', '=', app ?? ''))
  await trx
    .updateTable('authorization_codes')
    .set({ end_reason: reason })
    .where('user_id', 'in', users)
    .where('client_id', 'in', clients)
    .where('end_reason', 'is', null)
    .execute()
  const devices = await trx
    .updateTable('device_codes')
    .set({ end_reason: reason })
    .where('user_id', 'in', users)
    .where('client_id', 'in', clients)
    .where('end_reason', 'is', null)
    .returning(['state', 'expires_at as expiresAt'])
    .execute()
  return devices.filter(({ state, expiresAt }) => state === 'authorized' && expiresAt > now).length
}
