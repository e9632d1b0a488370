import { sql } from 'kysely'
import type { Db } from '../handle.ts'

const statements = `
alter table agents add column kind text not null default 'agent';
alter table agents add column default_visibility text not null default 'public';
alter table agents add column approval text not null default 'none';
alter table agents add column deleted_at bigint;
alter table repositories add column visibility text not null default 'public';
create table members (
  organization_id text not null references agents (id), agent_id text not null references agents (id),
  role text not null, created_at bigint not null, primary key (organization_id, agent_id));
create index members_agent on members (agent_id);
create table invitations (
  id text primary key not null, organization_id text references agents (id),
  agent_id text references agents (id), role text not null, code_hash text,
  created_by text references agents (id), created_at bigint not null, expires_at bigint not null);
create index invitations_organization on invitations (organization_id);
create index invitations_agent on invitations (agent_id);
create unique index invitations_code on invitations (code_hash);
create table transfers (
  id text primary key not null, repository_id text not null references repositories (id),
  to_id text not null references agents (id), requested_by text not null references agents (id),
  created_at bigint not null, expires_at bigint not null);
create unique index transfers_repository on transfers (repository_id);
create index transfers_to on transfers (to_id);
create table moved_repositories (
  owner_key text not null, name_key text not null, repository_id text not null references repositories (id),
  moved_at bigint not null, primary key (owner_key, name_key))`

export async function up(trx: Db): Promise<void> {
  for (const statement of statements.split(';')) await sql.raw(statement).execute(trx)
}

/** Forgets who belongs to organizations. All repositories become public. */
export async function down(trx: Db): Promise<void> {
  for (const table of ['moved_repositories', 'transfers', 'invitations', 'members']) {
    await trx.schema.dropTable(table).execute()
  }
  const columns = ['kind', 'default_visibility', 'approval', 'deleted_at']
  for (const column of columns) await trx.schema.alterTable('agents').dropColumn(column).execute()
  await trx.schema.alterTable('repositories').dropColumn('visibility').execute()
}
