import { sql } from 'kysely'
import type { Db } from '../handle.ts'

const statements = `
alter table apps add column events text not null default '';
create index apps_events on apps (id) where events <> '';
alter table webhook_events add column sequence bigint not null default 0;
create index webhook_events_sequence on webhook_events (sequence)`

export async function up(trx: Db): Promise<void> {
  for (const statement of statements.split(';')) await sql.raw(statement).execute(trx)
}

/** Forgets the subscriptions of all apps. */
export async function down(trx: Db): Promise<void> {
  for (const index of ['apps_events', 'webhook_events_sequence']) {
    await trx.schema.dropIndex(index).execute()
  }
  await trx.schema.alterTable('apps').dropColumn('events').execute()
  await trx.schema.alterTable('webhook_events').dropColumn('sequence').execute()
}
