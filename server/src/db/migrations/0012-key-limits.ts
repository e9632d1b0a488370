import { sql } from 'kysely'
import type { Db } from '../handle.ts'

const statements = `
alter table api_keys add column limit_owner_id text references agents (id);
alter table api_keys add column limit_repository_id text references repositories (id);
alter table api_keys add column use_count bigint not null default 0;
alter table api_keys add column source_commit text;
create index api_keys_limit_owner on api_keys (limit_owner_id);
create index api_keys_limit_repository on api_keys (limit_repository_id);
create table trusted_publishers (
  id text primary key not null, owner_id text not null references agents (id),
  repository_id text references repositories (id), issuer text not null,
  source_repository text not null, workflow text not null, environment text,
  created_by text not null references agents (id), created_at bigint not null);
create index trusted_publishers_source on trusted_publishers (source_repository);
create index trusted_publishers_owner on trusted_publishers (owner_id)`

export async function up(trx: Db): Promise<void> {
  for (const statement of statements.split(';')) await sql.raw(statement).execute(trx)
}

/** Forgets trusted publishers. Revokes limited keys, which would have no limit otherwise. */
export async function down(trx: Db): Promise<void> {
  await trx.schema.dropTable('trusted_publishers').execute()
  await sql`update api_keys set revoked_at = 0 where revoked_at is null
    and (limit_owner_id is not null or limit_repository_id is not null)`.execute(trx)
  for (const index of ['owner', 'repository']) {
    await trx.schema.dropIndex(`api_keys_limit_${index}`).execute()
  }
  for (const column of ['limit_owner_id', 'limit_repository_id', 'use_count', 'source_commit']) {
    await trx.schema.alterTable('api_keys').dropColumn(column).execute()
  }
}
