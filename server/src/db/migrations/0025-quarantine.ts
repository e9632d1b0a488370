import type { Db } from '../handle.ts'

/** What was answered to findings that keep versions out of resolve, and of skills the last word. */
export async function up({ schema }: Db): Promise<void> {
  await schema.alterTable('skills').addColumn('answer', 'text').execute()
  await schema
    .createTable('answers')
    .addColumn('skill_id', 'text', (column) =>
      column.notNull().references('skills.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('answered_by', 'text', (column) => column.notNull())
    .addColumn('decision', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('answers_key', ['skill_id', 'version', 'answered_by'])
    .execute()
}

export async function down({ schema }: Db): Promise<void> {
  await schema.dropTable('answers').execute()
  await schema.alterTable('skills').dropColumn('answer').execute()
}
