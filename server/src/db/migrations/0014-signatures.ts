import type { Db } from '../handle.ts'

/** Keys that agents sign with, and the signatures of versions. */
export async function up({ schema }: Db): Promise<void> {
  await schema
    .createTable('signing_keys')
    .addColumn('agent_id', 'text', (column) =>
      column.primaryKey().notNull().references('agents.id'),
    )
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('version_signatures')
    .addColumn('skill_id', 'text', (column) =>
      column.notNull().references('skills.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('version_signatures_key', ['skill_id', 'version'])
    .execute()
}

export async function down({ schema }: Db): Promise<void> {
  await schema.dropTable('version_signatures').execute()
  await schema.dropTable('signing_keys').execute()
}
