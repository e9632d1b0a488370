import { sql } from 'kysely'
import { type Db, isPostgres } from '../handle.ts'

/** Vectors of skills, and how far each space of vectors has come. */
export async function up(trx: Db): Promise<void> {
  const { schema } = trx
  await schema
    .createTable('embedding_spaces')
    .addColumn('space', 'text', (column) => column.primaryKey().notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    // Where its skills, in the order of revision and id, have been seen to.
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('skill_id', 'text', (column) => column.notNull())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('leased_until', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('embeddings')
    .addColumn('skill_id', 'text', (column) =>
      column.notNull().references('skills.id').onDelete('cascade'),
    )
    .addColumn('space', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('vector', isPostgres(trx) ? sql`bytea` : sql`blob`, (column) => column.notNull())
    .addPrimaryKeyConstraint('embeddings_key', ['skill_id', 'space'])
    .execute()
  await schema.createIndex('embeddings_space').on('embeddings').column('space').execute()
}

export async function down({ schema }: Db): Promise<void> {
  await schema.dropTable('embeddings').execute()
  await schema.dropTable('embedding_spaces').execute()
}
