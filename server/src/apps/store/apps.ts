import { isPostgres } from '../../db/handle.ts'
import type { Db } from '../../db/open.ts'
import type { AppTable } from '../../db/schema.ts'
import type { Sealed } from '../../secrets/encryption.ts'
import { keptBefore, type SecretOverlap } from './overlap.ts'

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
  /** The user who made it; null where the operator has declared it. */
  createdBy: string | null
  disabledAt: number | null
  /** The user who disabled it, or the account by a token of its own; null for the operator. */
  disabledBy: string | null
  /** The deauthorization address that has answered the validation request. */
  validatedUrl: string | null
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
  'created_by as createdBy',
  'disabled_at as disabledAt',
  'disabled_by as disabledBy',
  'validated_url as validatedUrl',
] as const

type Flags = 'deviceFlow' | 'publicClient' | 'requireS256'
type Row = Omit<AppRecord, Flags> & Record<Flags, 0 | 1>

const record = (row: Row): AppRecord => ({
  ...row,
  deviceFlow: row.deviceFlow === 1,
  publicClient: row.publicClient === 1,
  requireS256: row.requireS256 === 1,
})

type Fixed = 'id' | 'accountId' | 'createdAt' | 'createdBy' | 'validatedUrl'

/** What of an app its settings change. */
const changeable = (app: Omit<AppRecord, Fixed>) => ({
  name: app.name,
  type: app.type,
  level: app.level,
  visibility: app.visibility,
  device_flow: flag(app.deviceFlow),
  public_client: flag(app.publicClient),
  require_s256: flag(app.requireS256),
  deauthorization_url: app.deauthorizationUrl,
  disabled_at: app.disabledAt,
  disabled_by: app.disabledBy,
})

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0)

/** Keeps a new app. Throws `UniqueViolation` when the account has one of this name. */
export async function insertApp(
  trx: Db,
  app: Omit<AppRecord, 'validatedUrl'> & { webhookSecret: Sealed },
): Promise<void> {
  await trx
    .insertInto('apps')
    .values({
      ...changeable(app),
      id: app.id,
      account_id: app.accountId,
      webhook_secret: app.webhookSecret,
      created_at: app.createdAt,
      created_by: app.createdBy,
    })
    .execute()
}

/** Writes all that settings change of an app. */
export async function updateApp(trx: Db, app: AppRecord): Promise<void> {
  await trx.updateTable('apps').set(changeable(app)).where('id', '=', app.id).execute()
}

/** The app with this id. */
export async function findApp(db: Db, id: string): Promise<AppRecord | undefined> {
  const row = await db.selectFrom('apps').select(columns).where('id', '=', id).executeTakeFirst()
  return row && record(row)
}

/**
 * The same in a transaction that goes on to change it: who comes second waits, and finds what the
 * first has written.
 */
export async function holdApp(trx: Db, id: string): Promise<AppRecord | undefined> {
  const query = trx.selectFrom('apps').select(columns).where('id', '=', id)
  const row = await (isPostgres(trx) ? query.forNoKeyUpdate() : query).executeTakeFirst()
  return row && record(row)
}

/** The apps of an account, or those of them that one user has made; null for what no user has. */
export interface AppSelection {
  readonly accountId: string
  readonly createdBy?: string | null | undefined
}

const selected = (db: Db, { accountId, createdBy }: AppSelection) => {
  const query = db.selectFrom('apps').where('account_id', '=', accountId)
  if (createdBy === undefined) return query
  return createdBy === null
    ? query.where('created_by', 'is', null)
    : query.where('created_by', '=', createdBy)
}

/** Up to `limit` of the apps by name, from behind a name. */
export async function listApps(
  db: Db,
  { after, limit, ...selection }: AppSelection & { after: string | undefined; limit: number },
): Promise<AppRecord[]> {
  const query = selected(db, selection).select(columns).orderBy('name').limit(limit)
  const rest = after === undefined ? query : query.where('name', '>', after)
  return (await rest.execute()).map(record)
}

/** How many these are. */
export async function countApps(db: Db, selection: AppSelection): Promise<number> {
  const row = await selected(db, selection)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/**
 * Gives the app's webhooks a new secret; one of before is used beside it for the overlap. Gives until
 * when, ms; nothing when there is no such app.
 */
export async function rotateSealedSecret(
  trx: Db,
  id: string,
  secret: Sealed,
  overlap: SecretOverlap,
): Promise<number | undefined> {
  const kept = keptBefore<Sealed>(
    {
      current: 'webhook_secret',
      previous: 'previous_webhook_secret',
      expiresAt: 'previous_webhook_secret_expires_at',
    },
    overlap,
  )
  const row = await trx
    .updateTable('apps')
    .set({
      previous_webhook_secret: kept.previous,
      previous_webhook_secret_expires_at: kept.expiresAt,
      webhook_secret: secret,
    })
    .where('id', '=', id)
    .returning('previous_webhook_secret_expires_at as previousExpiresAt')
    .executeTakeFirst()
  return row?.previousExpiresAt ?? undefined
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
