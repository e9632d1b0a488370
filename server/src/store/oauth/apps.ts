import { type EventName, eventNames } from '@skillpass/contract'
import { sql } from 'kysely'
import {
  columnsOf,
  countRows,
  type Db,
  type Fields,
  hasRow,
  isPostgres,
  toRow,
} from '../../db/query.ts'
import type { Sealed } from '../../secrets/encryption.ts'
import { withoutUndefined } from '../../text/case.ts'
import { areAlike, titleSkeleton } from '../../text/reserved.ts'

const fixedFields = ['id', 'accountId', 'createdAt', 'createdBy'] as const

const settableFields = [
  ...(['name', 'type', 'level', 'visibility', 'deauthorizationUrl'] as const),
  ...(['disabledAt', 'disabledBy'] as const),
] as const

const flags = ['deviceFlow', 'publicClient', 'requireS256'] as const

const fields = [...fixedFields, ...settableFields, ...flags, 'events', 'validatedUrl'] as const

export const appColumns = [...columnsOf('apps', fields), 'accounts.name as accountName'] as const

type Flag = (typeof flags)[number]
type Row = Pick<Fields<'apps'>, (typeof fields)[number]> & { accountName: string }

export type AppRecord = Omit<Row, Flag | 'events'> &
  Record<Flag, boolean> & {
    events: readonly EventName[]
    /** Whether the operator disabled it. Developers cannot enable it then. */
    byOperator: boolean
  }

export const appOf = (row: Row): AppRecord => ({
  ...row,
  events: parseEvents(row.events),
  deviceFlow: row.deviceFlow === 1,
  publicClient: row.publicClient === 1,
  requireS256: row.requireS256 === 1,
  byOperator: row.disabledAt !== null && row.disabledBy === null,
})

function parseEvents(text: string): EventName[] {
  const names = new Set(text.split(' '))
  return eventNames.filter((name) => names.has(name))
}

type Settable = Pick<AppRecord, (typeof settableFields)[number] | Flag | 'events'>

const settableOf = (app: Settable) => ({
  ...toRow(app, settableFields),
  events: app.events.join(' '),
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

export const updateAppFields = (trx: Db, app: AppRecord) =>
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

const read = async (query: ReturnType<typeof existingApps>): Promise<AppRecord[]> =>
  (await query.select(appColumns).execute()).map(appOf)

export async function findApp(db: Db, id: string) {
  const [app] = await read(existingApps(db).where('apps.id', '=', id))
  return app
}

export async function lockApp(trx: Db, id: string) {
  const query = existingApps(trx).where('apps.id', '=', id)
  const [app] = await read(isPostgres(trx) ? query.forNoKeyUpdate('apps') : query)
  return app
}

/** The apps of an account, or of one of its users. `createdBy: null` means without a user. */
interface AppSelection {
  readonly accountId: string
  readonly createdBy?: string | null | undefined
}

const selected = (db: Db, { accountId, createdBy }: AppSelection) =>
  existingApps(db).where((eb) =>
    eb.and(withoutUndefined({ account_id: accountId, created_by: createdBy })),
  )

/** Up to `limit` apps by name, after the name `after`. */
export const listApps = (
  db: Db,
  { after, limit, ...selection }: AppSelection & { after: string; limit: number },
) => read(selected(db, selection).where('apps.name', '>', after).orderBy('apps.name').limit(limit))

export const countApps = (db: Db, selection: AppSelection) => countRows(selected(db, selection))

/**
 * Whether an app in use looks as if it had a name, given by its readings, except those of an
 * account: a public app, or a private one that somebody besides its developer has added. Neither is
 * disabled.
 */
export async function isAppNamed(db: Db, readings: readonly string[], except: string) {
  if (readings.length === 0) return false
  const lengths = readings.map((one) => Array.from(one).length)
  const apps = await existingApps(db)
    .select('skeleton')
    .where('apps.account_id', '<>', except)
    .where('disabled_at', 'is', null)
    .where(
      sql<boolean>`length(skeleton) between ${Math.min(...lengths) - 1} and ${Math.max(...lengths) + 1}`,
    )
    .where((eb) =>
      eb.or([
        eb('visibility', '=', 'public'),
        sql<boolean>`visibility = 'private' and exists (select 1 from grants where grants.app_id = apps.id
          and grants.ended_at is null and grants.user_id <> coalesce(apps.created_by, ''))`,
      ]),
    )
    .execute()
  return apps.some(({ skeleton }) => readings.some((one) => areAlike(one, skeleton)))
}

/** Takes the claimed names from the apps of an account that look like `name`. */
export const renameNamesakes = (trx: Db, accountId: string, name: string) =>
  trx
    .updateTable('apps')
    .set({ name: sql<string>`'App' || substr(name, length(name) - 10)`, skeleton: '' })
    .where((eb) => eb.and({ account_id: accountId, skeleton: titleSkeleton(name) }))
    // Names of apps with a document are their addresses.
    .where('name', 'like', '% (________)')
    .execute()

export const listAppsByName = (db: Db, name: string, accountId?: string) =>
  read(
    existingApps(db)
      .where((eb) => eb.and(withoutUndefined({ 'apps.name': name, account_id: accountId })))
      .orderBy('apps.id'),
  )

/** Apps of all accounts, ordered by id, after the id `after`. */
export function listAllApps(
  db: Db,
  { after, limit, disabled }: { after: string; limit: number; disabled?: boolean | undefined },
) {
  const page = existingApps(db).where('apps.id', '>', after).orderBy('apps.id').limit(limit)
  return read(disabled ? page.where('apps.disabled_at', 'is not', null) : page)
}

/** The app with this id or client id, or all apps with this name (case-insensitive). */
export function findAppsNamed(db: Db, name: string) {
  const clients = db.selectFrom('clients').select('app_id').where('client_id', '=', name)
  const named = existingApps(db).where((eb) =>
    eb.or([
      eb('apps.id', '=', name),
      eb('apps.id', 'in', clients),
      eb(eb.fn<string>('lower', ['apps.name']), '=', name.toLowerCase()),
    ]),
  )
  return read(named.orderBy('apps.id'))
}

export const countUse = (db: Db, appId: string): Promise<{ grants: number; users: number }> =>
  db
    .selectFrom('grants')
    .select((eb) => [
      eb.fn.countAll<number>().as('grants'),
      eb.fn.count<number>('user_id').distinct().as('users'),
    ])
    .where((eb) => eb.and({ app_id: appId, ended_at: null }))
    .executeTakeFirstOrThrow()

/**
 * Disables an app at the time `at`, or enables it if `at` is null. Returns false if the app is
 * enabled already or the operator has disabled it already.
 */
export const setAppDisabled = (trx: Db, id: string, at: number | null) =>
  hasRow(
    trx
      .updateTable('apps')
      .set({ disabled_at: at, disabled_by: null })
      .where('id', '=', id)
      // Also disable an app that a developer disabled, so that only the operator can enable it.
      .where((eb) =>
        at === null
          ? eb('disabled_at', 'is not', null)
          : eb.or([eb('disabled_at', 'is', null), eb('disabled_by', 'is not', null)]),
      )
      .returning('id'),
  )

/** Marks an app as deleted and frees its name. Its webhook secret still signs pending events. */
export async function markAppDeleted(
  trx: Db,
  { id, name }: Pick<AppRecord, 'id' | 'name'>,
  now: number,
): Promise<void> {
  const clients = trx.selectFrom('clients').select('client_id').where('app_id', '=', id)
  await trx.deleteFrom('redirect_uris').where('client_id', 'in', clients).execute()
  await trx.deleteFrom('consent_requests').where('client_id', 'in', clients).execute()
  await trx.deleteFrom('approvals').where('app_id', '=', id).execute()
  await trx.deleteFrom('app_calls').where('app_id', '=', id).execute()
  await trx
    .updateTable('apps')
    .set((eb) => ({
      name: `${name} (deleted ${new Date(now).toISOString()})`,
      deleted_at: now,
      disabled_at: eb.fn.coalesce('disabled_at', eb.val(now)),
      disabled_by: null,
    }))
    .where('id', '=', id)
    .execute()
}
