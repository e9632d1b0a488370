import { sql } from 'kysely'
import type { Db } from '../handle.ts'
import { up as createQuarantine } from './0025-quarantine.ts'

/** One state of a skill, with who decided it, why and when. */
export async function up(trx: Db): Promise<void> {
  const { schema } = trx
  const skills = schema.alterTable('skills')
  await skills
    .addColumn('state', 'text', (column) => column.notNull().defaultTo('visible'))
    .execute()
  for (const column of ['state_by', 'state_reason'])
    await skills.addColumn(column, 'text').execute()
  await skills.addColumn('state_at', 'bigint').execute()
  await sql`delete from answers where version <> (
    select version from skills where skills.id = answers.skill_id)`.execute(trx)
  await sql`update skills set state_by = 'publisher' where answer = 'answered'`.execute(trx)
  await sql`update skills set state = case answer when 'held' then 'held' else 'visible' end,
    state_by = 'operator',
    state_reason = (select text from answers
      where answers.skill_id = skills.id and answered_by = 'operator'),
    state_at = (select created_at from answers
      where answers.skill_id = skills.id and answered_by = 'operator')
    where answer in ('held', 'released')`.execute(trx)
  await sql`update skills set state = 'hidden',
    state_by = case hidden_by_block when 1 then 'block' else 'operator' end,
    state_reason = coalesce(removed_reason, hidden_reason, ''),
    state_at = coalesce(hidden_at, deleted_at)
    where hidden_at is not null or removed_reason is not null`.execute(trx)
  for (const column of dropped) await skills.dropColumn(column).execute()
  await schema.dropTable('removed_addresses').execute()
  await schema.alterTable('judged_texts').dropColumn('bare').execute()
  await schema
    .createIndex('skills_deleted')
    .on('skills')
    .columns(['repository_id', 'slug'])
    .where(sql.ref('deleted_at'), 'is not', null)
    .execute()
  await trx.schema.alterTable('answers').renameTo('former_answers').execute()
  await createAnswers(trx)
  await sql`insert into answers select skill_id, answered_by, decision, text, created_at
    from former_answers`.execute(trx)
  await schema.dropTable('former_answers').execute()
}

const dropped = ['answer', 'hidden_at', 'hidden_reason', 'hidden_by_block', 'removed_reason']

const createAnswers = ({ schema }: Db) =>
  schema
    .createTable('answers')
    .addColumn('skill_id', 'text', (column) =>
      column.notNull().references('skills.id').onDelete('cascade'),
    )
    .addColumn('answered_by', 'text', (column) => column.notNull())
    .addColumn('decision', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('answers_of_skill', ['skill_id', 'answered_by'])
    .execute()

export async function down(trx: Db): Promise<void> {
  const { schema } = trx
  const skills = schema.alterTable('skills')
  await schema.dropIndex('skills_deleted').execute()
  await schema
    .alterTable('judged_texts')
    .addColumn('bare', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema.dropTable('answers').execute()
  await createQuarantine(trx)
  await skills.addColumn('hidden_at', 'bigint').execute()
  await skills.addColumn('hidden_reason', 'text').execute()
  await skills.addColumn('removed_reason', 'text').execute()
  await skills
    .addColumn('hidden_by_block', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema
    .createTable('removed_addresses')
    .addColumn('repository_id', 'text', (column) => column.notNull().references('repositories.id'))
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('removed_addresses_key', ['repository_id', 'slug'])
    .execute()
  await sql`insert into removed_addresses (repository_id, slug, reason, created_at)
    select repository_id, slug, min(state_reason), min(deleted_at) from skills
    where state = 'hidden' and deleted_at is not null group by repository_id, slug`.execute(trx)
  await sql`update skills set removed_reason = state_reason
    where state = 'hidden' and deleted_at is not null`.execute(trx)
  await sql`update skills set hidden_at = state_at, hidden_reason = state_reason,
    hidden_by_block = case state_by when 'block' then 1 else 0 end
    where state = 'hidden' and deleted_at is null`.execute(trx)
  for (const column of ['state', 'state_by', 'state_reason', 'state_at']) {
    await skills.dropColumn(column).execute()
  }
}
