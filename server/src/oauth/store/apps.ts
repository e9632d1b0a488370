import type { Db } from '../../db/open.ts'
import type { AppTable } from '../../db/schema.ts'

/** An app as its developer sees it. Times are milliseconds since 1970. */
export interface AppRecord {
  id: string
  accountId: string
  name: string
  type: AppTable['type']
  level: AppTable['level']
  visibility: AppTable['visibility']
  deviceFlow: boolean
  publicClient: boolean
  requireS256: boolean
  deauthorizationUrl: string | null
  createdAt: number
  disabledAt: number | null
}

const columns = [
  'id',
  'account_id as accountId',
  'name',
  'type',
  'level',
  'visibility',
  'device_flow as deviceFlow',
  'public_client as publicClient',
  'require_s256 as requireS256',
  'deauthorization_url as deauthorizationUrl',
  'created_at as createdAt',
  'disabled_at as disabledAt',
] as const

type Flags = 'deviceFlow' | 'publicClient' | 'requireS256'
type Row = Omit<AppRecord, Flags> & Record<Flags, 0 | 1>

const record = (row: Row): AppRecord => ({
  ...row,
  deviceFlow: row.deviceFlow === 1,
  publicClient: row.publicClient === 1,
  requireS256: row.requireS256 === 1,
})

/** What of an app may change. */
const changeable = (app: Omit<AppRecord, 'id' | 'accountId' | 'createdAt'>) => ({
  name: app.name,
  type: app.type,
  level: app.level,
  visibility: app.visibility,
  device_flow: flag(app.deviceFlow),
  public_client: flag(app.publicClient),
  require_s256: flag(app.requireS256),
  deauthorization_url: app.deauthorizationUrl,
  disabled_at: app.disabledAt,
})

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0)

/** Keeps a new app. Throws `UniqueViolation` when the account has one of this name. */
export async function insertApp(
  trx: Db,
  app: AppRecord & { webhookSecret: string },
): Promise<void> {
  await trx
    .insertInto('apps')
    .values({
      ...changeable(app),
      id: app.id,
      account_id: app.accountId,
      webhook_secret: app.webhookSecret,
      created_at: app.createdAt,
    })
    .execute()
}

/** Writes all that may change of an app. */
export async function updateApp(trx: Db, app: AppRecord): Promise<void> {
  await trx.updateTable('apps').set(changeable(app)).where('id', '=', app.id).execute()
}

/** The app with this id. */
export async function findApp(db: Db, id: string): Promise<AppRecord | undefined> {
  const row = await db.selectFrom('apps').select(columns).where('id', '=', id).executeTakeFirst()
  return row && record(row)
}

/** The apps with this name, of one account or of all. */
export async function listAppsByName(
  db: Db,
  name: string,
  accountId?: string,
): Promise<AppRecord[]> {
  const query = db.selectFrom('apps').select(columns).where('name', '=', name).orderBy('id')
  const own = accountId === undefined ? query : query.where('account_id', '=', accountId)
  return (await own.execute()).map(record)
}
