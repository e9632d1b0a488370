import { sql } from 'kysely'
import type { Db } from '../handle.ts'

export async function up(trx: Db): Promise<void> {
  await sql`alter table apps add column events text not null default ''`.execute(trx)
  await sql`create index apps_events on apps (id) where events <> ''`.execute(trx)
}

/** Forgets the subscriptions of all apps. */
export async function down(trx: Db): Promise<void> {
  await trx.schema.dropIndex('apps_events').execute()
  await trx.schema.alterTable('apps').dropColumn('events').execute()
}
