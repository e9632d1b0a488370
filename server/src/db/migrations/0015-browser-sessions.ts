import { sql } from 'kysely'
import type { Db } from '../handle.ts'

export async function up(trx: Db): Promise<void> {
  await sql`create table browser_sessions (
    key text primary key not null, api_key_id text references api_keys (id), code text,
    network text not null, expires_at bigint not null)`.execute(trx)
  await sql`create unique index browser_sessions_code on browser_sessions (code)`.execute(trx)
}

/** Signs agents out of all browsers. */
export const down = (trx: Db): Promise<void> => trx.schema.dropTable('browser_sessions').execute()
