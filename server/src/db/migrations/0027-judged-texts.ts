import { sql } from 'kysely'
import type { Db } from '../handle.ts'

/** Which text a vote, an entry of feedback, a star or a report is about, and what was decided of texts. */
export async function up(trx: Db): Promise<void> {
  const { schema } = trx
  for (const [table, said] of abouts) {
    await schema
      .alterTable(table)
      .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await sql`
      update ${sql.table(table)} set version = coalesce((
        select max(skill_versions.version) from skill_versions
        where skill_versions.skill_id = ${sql.ref(`${table}.skill_id`)}
          and skill_versions.created_at <= ${sql.ref(`${table}.${said}`)}), 1)`.execute(trx)
  }
  await schema
    .alterTable('votes')
    .addColumn('alone', 'double precision', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update votes set alone = weight`.execute(trx)
  await schema.alterTable('skills').addColumn('removed_reason', 'text').execute()
  await sql`
    update skills set removed_reason = (
      select reason from removed_addresses
      where removed_addresses.repository_id = skills.repository_id
        and removed_addresses.slug = skills.slug
        and removed_addresses.created_at = skills.deleted_at)
    where deleted_at is not null`.execute(trx)
  await schema
    .createIndex('skills_copy_of')
    .on('skills')
    .column('copy_of')
    .where(sql.ref('copy_of'), 'is not', null)
    .execute()
  await createTexts(trx)
}

const abouts = [
  ['votes', 'voted_at'],
  ['feedback', 'updated_at'],
  ['stars', 'created_at'],
  ['reports', 'updated_at'],
] as const

async function createTexts(trx: Db): Promise<void> {
  const { schema } = trx
  await schema
    .createTable('judged_texts')
    .addColumn('skill_id', 'text', (column) =>
      column.notNull().references('skills.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('passages', 'text', (column) => column.notNull())
    .addColumn('bare', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('judged_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('judged_texts_key', ['skill_id', 'version'])
    .execute()
  await schema
    .createIndex('judged_texts_agent')
    .on('judged_texts')
    .columns(['agent_id', 'judged_at'])
    .execute()
  await schema.createIndex('judged_texts_digest').on('judged_texts').column('digest').execute()
  await schema
    .createTable('judged_passages')
    .addColumn('passage', 'bigint', (column) => column.notNull())
    .addColumn('skill_id', 'text', (column) =>
      column.notNull().references('skills.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('judged_passages_key', ['passage', 'skill_id', 'version'])
    .execute()
  await schema
    .createIndex('judged_passages_skill')
    .on('judged_passages')
    .column('skill_id')
    .execute()
  // What was decided before is known by its bytes alone.
  await sql`
    insert into judged_texts (skill_id, version, agent_id, digest, passages, judged_at)
    select id, version, agent_id, digest, '[]', updated_at from skills
    where removed_reason is not null or hidden_at is not null or answer = 'held'
      or copy_by = 'operator'`.execute(trx)
}

export async function down(trx: Db): Promise<void> {
  const { schema } = trx
  await schema.dropTable('judged_passages').execute()
  await schema.dropTable('judged_texts').execute()
  await schema.dropIndex('skills_copy_of').execute()
  await schema.alterTable('skills').dropColumn('removed_reason').execute()
  // Before, a deleted skill had none.
  await sql`delete from stars where skill_id in (select id from skills where deleted_at is not null)`.execute(
    trx,
  )
  await schema.alterTable('votes').dropColumn('alone').execute()
  for (const [table] of abouts) await schema.alterTable(table).dropColumn('version').execute()
}
