import { sql } from 'kysely'
import type { Db } from '../handle.ts'

const statements = `
create table app_calls (
  id text primary key not null, app_id text not null references apps (id) on delete cascade,
  user_id text, at bigint not null, method text not null, route text not null,
  status integer not null, error text, message text);
create index app_calls_app on app_calls (app_id, at)`

export async function up(trx: Db): Promise<void> {
  for (const statement of statements.split(';')) await sql.raw(statement).execute(trx)
}

/** Forgets the last calls of all apps. */
export const down = (trx: Db): Promise<void> => trx.schema.dropTable('app_calls').execute()
