import { columnsOf, type Db, type Fields, isPostgres, toRow, valuesOf } from '../../db/query.ts'
import { existingApps } from './apps.ts'

const fields = [
  ...(['id', 'appId', 'userId', 'at', 'method', 'route'] as const),
  ...(['status', 'error', 'message'] as const),
]

/** A call that an app made. `error` is a key of the contract's error tables. */
export type AppCall = Fields<'app_calls'>

/** Calls to keep of each app. */
export const keptCalls = 100

/** Stores calls of apps that exist, and deletes all but the last of each app. */
export async function insertCalls(trx: Db, calls: readonly AppCall[]): Promise<void> {
  const appIds = [...new Set(calls.map(({ appId }) => appId))]
  const apps = existingApps(trx).select('apps.id').where('apps.id', 'in', appIds)
  const existing = await valuesOf(isPostgres(trx) ? apps.forKeyShare('apps') : apps, 'id')
  const rows = calls.filter(({ appId }) => existing.includes(appId))
  if (rows.length === 0) return
  await trx
    .insertInto('app_calls')
    .values(rows.map((row) => toRow(row, fields)))
    .execute()
  for (const appId of existing) {
    const last = trx.selectFrom('app_calls').select('id').where('app_id', '=', appId)
    const kept = last.orderBy('at', 'desc').orderBy('id', 'desc').limit(keptCalls)
    const old = trx.deleteFrom('app_calls').where('app_id', '=', appId)
    await old.where('id', 'not in', kept).execute()
  }
}

/** The last calls of an app, newest first. */
export const listCalls = (db: Db, appId: string): Promise<AppCall[]> =>
  db
    .selectFrom('app_calls')
    .select(columnsOf('app_calls', fields))
    .where('app_id', '=', appId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(keptCalls)
    .execute()

/** When each app made its last call, ms, by id. */
export async function findLastCalls(db: Db, appIds: readonly string[]) {
  if (appIds.length === 0) return new Map<string, number>()
  const rows = await db
    .selectFrom('app_calls')
    .select((eb) => ['app_id as appId', eb.fn.max<number>('at').as('at')])
    .where('app_id', 'in', appIds)
    .groupBy('app_id')
    .execute()
  return new Map(rows.map(({ appId, at }) => [appId, at]))
}
