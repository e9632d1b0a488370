import type { Db } from '../../db/open.ts'
import { hasRow } from '../../db/rows.ts'
import { type AppRecord, appColumns, appOf, existingApps } from './apps.ts'

/** Apps of all accounts, ordered by id, after the id `after`. */
export async function listAllApps(
  db: Db,
  { after, limit, disabled }: { after: string; limit: number; disabled?: boolean | undefined },
): Promise<AppRecord[]> {
  const rows = await existingApps(db)
    .select(appColumns)
    .where('apps.id', '>', after)
    .$if(disabled === true, (query) => query.where('apps.disabled_at', 'is not', null))
    .orderBy('apps.id')
    .limit(limit)
    .execute()
  return rows.map(appOf)
}

/** The app with this id or client id, or all apps with this name (case-insensitive). */
export async function findAppsNamed(db: Db, name: string): Promise<AppRecord[]> {
  const rows = await existingApps(db)
    .select(appColumns)
    .where((eb) =>
      eb.or([
        eb('apps.id', '=', name),
        eb(
          'apps.id',
          'in',
          eb.selectFrom('clients').select('clients.app_id').where('client_id', '=', name),
        ),
        eb(eb.fn<string>('lower', ['apps.name']), '=', name.toLowerCase()),
      ]),
    )
    .orderBy('apps.id')
    .execute()
  return rows.map(appOf)
}

export const countUse = (db: Db, appId: string): Promise<{ grants: number; users: number }> =>
  db
    .selectFrom('grants')
    .select((eb) => [
      eb.fn.countAll<number>().as('grants'),
      eb.fn.count<number>('user_id').distinct().as('users'),
    ])
    .where('app_id', '=', appId)
    .where('ended_at', 'is', null)
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
