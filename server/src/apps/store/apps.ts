import { sql } from 'kysely'
import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import { isPostgres } from '../../db/handle.ts'
import type { Db } from '../../db/open.ts'
import { countRows, hasRow } from '../../db/rows.ts'
import { titleSkeleton } from '../../names/reserved.ts'
import type { Sealed } from '../../secrets/encryption.ts'

const fixedFields = ['id', 'accountId', 'createdAt', 'createdBy'] as const

const settableFields = [
  'name',
  'type',
  'level',
  'visibility',
  'deauthorizationUrl',
  'disabledAt',
  'disabledBy',
] as const

const flags = ['deviceFlow', 'publicClient', 'requireS256'] as const

const fields = [...fixedFields, ...settableFields, ...flags, 'validatedUrl'] as const

export const appColumns = [...columnsOf('apps', fields), 'accounts.name as accountName'] as const

type Flag = (typeof flags)[number]
type Row = Pick<Fields<'apps'>, (typeof fields)[number]> & { accountName: string }

export type AppRecord = Omit<Row, Flag> &
  Record<Flag, boolean> & {
    /** Whether the operator disabled it. Developers cannot enable it then. */
    byOperator: boolean
  }

export const appOf = (row: Row): AppRecord => ({
  ...row,
  deviceFlow: row.deviceFlow === 1,
  publicClient: row.publicClient === 1,
  requireS256: row.requireS256 === 1,
  byOperator: row.disabledAt !== null && row.disabledBy === null,
})

type Settable = Pick<AppRecord, (typeof settableFields)[number] | Flag>

const settableOf = (app: Settable) => ({
  ...toRow(app, settableFields),
  skeleton: titleSkeleton(app.name),
  device_flow: flag(app.deviceFlow),
  public_client: flag(app.publicClient),
  require_s256: flag(app.requireS256),
})

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0)

export type NewAppRecord = Settable &
  Pick<AppRecord, (typeof fixedFields)[number]> & { webhookSecret: Sealed }

/** Throws `UniqueViolation` if the account has an app of this name. */
export const insertApp = (trx: Db, app: NewAppRecord) =>
  trx
    .insertInto('apps')
    .values({ ...settableOf(app), ...toRow(app, [...fixedFields, 'webhookSecret']) })
    .execute()

export const updateApp = (trx: Db, app: AppRecord) =>
  trx.updateTable('apps').set(settableOf(app)).where('id', '=', app.id).execute()

/** Replaces a webhook secret, like `updateClientSecret` in `clients.ts`. */
export const updateWebhookSecret = (
  trx: Db,
  appId: string,
  secret: Sealed,
  previousEnd: number | null,
) =>
  trx
    .updateTable('apps')
    .set((eb) => ({
      webhook_secret: secret,
      previous_webhook_secret: previousEnd === null ? null : eb.ref('webhook_secret'),
      previous_webhook_secret_expires_at: previousEnd,
    }))
    .where('id', '=', appId)
    .execute()

/** Apps that the operator has not deleted, with their accounts. */
export const existingApps = (db: Db) =>
  db
    .selectFrom('apps')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .where('apps.deleted_at', 'is', null)

const select = (db: Db, id: string) => existingApps(db).select(appColumns).where('apps.id', '=', id)

export async function findApp(db: Db, id: string): Promise<AppRecord | undefined> {
  const row = await select(db, id).executeTakeFirst()
  return row && appOf(row)
}

export async function lockApp(trx: Db, id: string): Promise<AppRecord | undefined> {
  const query = select(trx, id)
  const row = await (isPostgres(trx) ? query.forNoKeyUpdate('apps') : query).executeTakeFirst()
  return row && appOf(row)
}

/** The apps of an account, or of one of its users. `createdBy: null` means without a user. */
export interface AppSelection {
  readonly accountId: string
  readonly createdBy?: string | null | undefined
}

const selected = (db: Db, { accountId, createdBy }: AppSelection) => {
  const query = existingApps(db).where('apps.account_id', '=', accountId)
  if (createdBy === undefined) return query
  return query.where('apps.created_by', createdBy === null ? 'is' : '=', createdBy)
}

/** Up to `limit` apps by name, after the name `after`. */
export async function listApps(
  db: Db,
  { after, limit, ...selection }: AppSelection & { after: string; limit: number },
): Promise<AppRecord[]> {
  const rows = await selected(db, selection)
    .select(appColumns)
    .where('apps.name', '>', after)
    .orderBy('apps.name')
    .limit(limit)
    .execute()
  return rows.map(appOf)
}

export const countApps = (db: Db, selection: AppSelection) => countRows(selected(db, selection))

/**
 * Whether a public app that is not disabled looks as if it had a name, given by its skeleton, except
 * those of an account.
 */
export const isAppNamed = async (db: Db, skeleton: string, except: string): Promise<boolean> =>
  skeleton !== '' &&
  hasRow(
    existingApps(db)
      .select('apps.id')
      .where('apps.skeleton', '=', skeleton)
      .where('apps.visibility', '=', 'public')
      .where('apps.disabled_at', 'is', null)
      .where('apps.account_id', '<>', except)
      .limit(1),
  )

/** Takes the claimed names from the apps of an account that look like `name`. */
export const renameNamesakes = (trx: Db, accountId: string, name: string) =>
  trx
    .updateTable('apps')
    .set({ name: sql<string>`'App' || substr(name, length(name) - 10)`, skeleton: '' })
    .where('account_id', '=', accountId)
    .where('skeleton', '=', titleSkeleton(name))
    // Names of apps with a document are their addresses.
    .where('name', 'like', '% (________)')
    .execute()

export async function listAppsByName(db: Db, name: string, accountId?: string) {
  const rows = await existingApps(db)
    .select(appColumns)
    .where('apps.name', '=', name)
    .$if(accountId !== undefined, (query) => query.where('apps.account_id', '=', accountId ?? ''))
    .orderBy('apps.id')
    .execute()
  return rows.map(appOf)
}
