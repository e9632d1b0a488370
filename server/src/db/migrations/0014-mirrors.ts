import { sql } from 'kysely'
import type { Db } from '../handle.ts'

const statements = `
create table mirrors (
  id text primary key not null, organization_id text not null references agents (id),
  url text not null, api_key text, every bigint not null, cursor text,
  next_run_at bigint not null, last_run_at bigint, result text, problems text not null);
create unique index mirrors_url on mirrors (organization_id, url);
create table mirrored_versions (
  mirror_id text not null references mirrors (id) on delete cascade, source text not null,
  version text not null, digest text not null, stamp text not null, skill_id text not null,
  own_version integer not null, is_withdrawn integer not null,
  primary key (mirror_id, source, version))`

export async function up(trx: Db): Promise<void> {
  for (const statement of statements.split(';')) await sql.raw(statement).execute(trx)
}

/** Forgets the mirrors. The skills that they published stay. */
export async function down(trx: Db): Promise<void> {
  for (const table of ['mirrored_versions', 'mirrors']) await trx.schema.dropTable(table).execute()
}
