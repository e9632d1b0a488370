import { sql } from 'kysely'
import type { Db } from '../handle.ts'

const statements = `
alter table skill_versions add column fields text;
alter table skill_versions add column label text;
alter table skill_versions add column source_commit text;
alter table skill_versions add column published_by text;
alter table skill_versions add column withdrawn text;
alter table skill_versions add column deprecated text;
alter table skill_versions add column approval text;
alter table skill_versions add column approval_note text;
create unique index skill_versions_label on skill_versions (skill_id, label);
create index skill_versions_waiting on skill_versions (created_at) where approval = 'waiting';
alter table skills add column label text;
alter table skills add column source_commit text;
alter table skills add column deprecated text;
create table dist_tags (
  skill_id text not null references skills (id) on delete cascade, tag text not null,
  version integer not null, primary key (skill_id, tag))`

export async function up(trx: Db): Promise<void> {
  for (const statement of statements.split(';')) await sql.raw(statement).execute(trx)
}

/** Every skill gets its newest approved version back, also a withdrawn one. */
const undo = `
drop table dist_tags;
drop index skill_versions_label;
drop index skill_versions_waiting;
delete from skill_versions where approval in ('waiting', 'declined');
delete from skills where version = 0 and deleted_at is null
  and not exists (select 1 from skill_versions where skill_id = skills.id);
update skills set version = (select max(version) from skill_versions where skill_id = skills.id)
  where exists (select 1 from skill_versions where skill_id = skills.id and version > skills.version);
update skills set digest = (select digest from skill_versions
  where skill_id = skills.id and skill_versions.version = skills.version)
  where exists (select 1 from skill_versions
    where skill_id = skills.id and skill_versions.version = skills.version)`

export async function down(trx: Db): Promise<void> {
  for (const statement of undo.split(';')) await sql.raw(statement).execute(trx)
  const ofVersions = ['fields', 'published_by', 'withdrawn', 'approval', 'approval_note'] as const
  const ofBoth = ['label', 'source_commit', 'deprecated'] as const
  for (const column of [...ofVersions, ...ofBoth]) {
    await trx.schema.alterTable('skill_versions').dropColumn(column).execute()
  }
  for (const column of ofBoth) await trx.schema.alterTable('skills').dropColumn(column).execute()
}
