import { sql } from 'kysely'
import { titleSkeleton } from '../../text/reserved.ts'
import type { Db } from '../handle.ts'

const statements = `
create table client_assertions (key text primary key not null, expires_at bigint not null);
create index client_assertions_expiry on client_assertions (expires_at);
create table blob_uploads (
  digest text not null references blobs (digest) on delete cascade,
  agent_id text not null,
  constraint blob_uploads_key primary key (digest, agent_id));
alter table apps add column skeleton text not null default '';
create index apps_skeleton on apps (skeleton)`

export async function up(trx: Db): Promise<void> {
  for (const statement of statements.split(';')) await sql.raw(statement).execute(trx)
  for (const { id, name } of await trx.selectFrom('apps').select(['id', 'name']).execute()) {
    const skeleton = titleSkeleton(name)
    await trx.updateTable('apps').set({ skeleton }).where('id', '=', id).execute()
  }
}

/** Agents must send bytes again that they have not published. Assertions can be used again. */
export async function down(trx: Db): Promise<void> {
  await trx.schema.dropIndex('apps_skeleton').execute()
  await trx.schema.alterTable('apps').dropColumn('skeleton').execute()
  for (const table of ['blob_uploads', 'client_assertions']) {
    await trx.schema.dropTable(table).execute()
  }
}
