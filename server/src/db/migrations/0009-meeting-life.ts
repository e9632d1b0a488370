import { sql } from 'kysely'
import type { Db } from '../handle.ts'

const statements = `
create table meeting_instances (
  uuid text primary key not null, meeting_id bigint not null references meetings (id),
  number integer not null, started_at bigint not null, ended_at bigint);
create unique index meeting_instances_number on meeting_instances (meeting_id, number);
create table meeting_participants (
  id text primary key not null, instance text not null references meeting_instances (uuid),
  number integer not null, user_id text, name text not null, email text not null,
  joined_at bigint not null, left_at bigint);
create unique index meeting_participants_number on meeting_participants (instance, number);
create table meeting_recordings (
  id text primary key not null, instance text not null references meeting_instances (uuid),
  started_at bigint not null, ended_at bigint not null, token_key text not null);
create index meeting_recordings_instance on meeting_recordings (instance, ended_at);
insert into meeting_instances (uuid, meeting_id, number, started_at, ended_at)
  select uuid, id, 1, started_at, ended_at from meetings where started_at is not null`

export async function up(trx: Db): Promise<void> {
  for (const statement of statements.split(';')) await sql.raw(statement).execute(trx)
}

/** Forgets who was in meetings, and their recordings. */
export async function down(trx: Db): Promise<void> {
  for (const name of ['recordings', 'participants', 'instances']) {
    await trx.schema.dropTable(`meeting_${name}`).execute()
  }
}
