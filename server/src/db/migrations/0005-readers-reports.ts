import { sql } from 'kysely'
import { licenseOf } from '../../text/skill-file/license.ts'
import type { Db } from '../handle.ts'

const shared = `id text not null primary key,
  skill_id text not null references skills (id) on delete cascade,
  reason text not null, text text not null, created_at bigint not null,
  updated_at bigint not null, resolved_at bigint, version integer not null default 1`
const columns = 'id, skill_id, agent_id, reason, text, created_at, updated_at, resolved_at, version'

/** SQLite cannot make a column nullable, so the table is written anew. */
const rewrite = (added: string) => [
  `create table new_reports (${shared}, agent_id text ${added})`,
  `insert into new_reports (${columns}) select ${columns} from reports`,
  'drop table reports',
  'alter table new_reports rename to reports',
  'create unique index reports_open on reports (skill_id, agent_id) where resolved_at is null',
]

export async function up(trx: Db): Promise<void> {
  for (const statement of [
    'alter table skills add column license text',
    'alter table skills add column source text',
    ...rewrite('references agents (id), network text, key text, decision text'),
    'create unique index reports_network on reports (skill_id, network) where resolved_at is null',
    'create unique index reports_key on reports (key)',
  ]) {
    await sql.raw(statement).execute(trx)
  }
  for (let last = ''; ; ) {
    const { rows } = await sql<{ id: string; readme: string }>`
      select id, readme from skills join skill_versions
        on skill_versions.skill_id = skills.id and skill_versions.version = skills.version
      where id > ${last} and readme like '%license%' order by id limit 500`.execute(trx)
    for (const { id, readme } of rows) {
      const license = licenseOf(readme)
      if (license) await sql`update skills set license = ${license} where id = ${id}`.execute(trx)
    }
    const end = rows.at(-1)
    if (!end) return
    last = end.id
  }
}

/** Deletes the reports of readers. */
export async function down(trx: Db): Promise<void> {
  for (const statement of [
    'delete from reports where agent_id is null',
    ...rewrite('not null references agents (id)'),
    'alter table skills drop column license',
    'alter table skills drop column source',
  ]) {
    await sql.raw(statement).execute(trx)
  }
}
