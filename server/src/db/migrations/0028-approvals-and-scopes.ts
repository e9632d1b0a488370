import { isScope, parseScopes } from '@skillpass/contract'
import { sql } from 'kysely'
import type { Db } from '../handle.ts'

/**
 * Only scopes of the catalogue exist, and an approval is for the name and the scopes that an app has.
 * Earlier approvals are for the app as it is now: in its own account with both sets of credentials.
 */
export async function up(trx: Db): Promise<void> {
  await dropMadeUpScopes(trx, 'clients', 'scopes')
  await dropMadeUpScopes(trx, 'clients', 'optional_scopes')
  await dropMadeUpScopes(trx, 'grants', 'scopes')
  for (const column of ['approved_name', 'approved_scopes']) {
    await trx.schema.alterTable('approvals').addColumn(column, 'text').execute()
  }
  await sql`
    update approvals set
      approved_name = (select apps.name from apps where apps.id = approvals.app_id),
      approved_scopes = (
        select production.scopes || ' ' || production.optional_scopes
          || coalesce(' ' || development.scopes || ' ' || development.optional_scopes, '')
        from apps
        join clients production
          on production.app_id = apps.id and production.environment = 'production'
        left join clients development
          on development.app_id = apps.id and development.environment = 'development'
          and apps.account_id = approvals.account_id
        where apps.id = approvals.app_id
      )
    where state = 'approved'`.execute(trx)
}

/** A grant of made-up scopes alone stays as it is: its app has lost them. */
async function dropMadeUpScopes(trx: Db, table: 'clients' | 'grants', column: string) {
  const { rows } = await sql<{ scopes: string }>`
    select distinct ${sql.ref(column)} as scopes from ${sql.table(table)}`.execute(trx)
  for (const { scopes } of rows) {
    const kept = parseScopes(scopes).filter(isScope).join(' ')
    if (kept === scopes || (kept === '' && table === 'grants')) continue
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${kept}
      where ${sql.ref(column)} = ${scopes}`.execute(trx)
  }
}

/** A request for more than was approved is no more than the approval that it was about. */
export async function down(trx: Db): Promise<void> {
  await sql`
    update approvals set decided_at = requested_at
    where state = 'approved' and decided_at is null`.execute(trx)
  for (const column of ['approved_name', 'approved_scopes']) {
    await trx.schema.alterTable('approvals').dropColumn(column).execute()
  }
}
