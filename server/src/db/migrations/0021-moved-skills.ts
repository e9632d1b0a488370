import type { Db } from '../handle.ts'

/** Former addresses of skills, which lead on for a while. */
export async function up({ schema }: Db): Promise<void> {
  await schema
    .createTable('moved_skills')
    .addColumn('repository_id', 'text', (column) => column.notNull().references('repositories.id'))
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('skill_id', 'text', (column) =>
      column.notNull().references('skills.id').onDelete('cascade'),
    )
    .addColumn('moved_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('moved_skills_key', ['repository_id', 'slug'])
    .execute()
  await schema.createIndex('moved_skills_skill').on('moved_skills').column('skill_id').execute()
  await schema.createIndex('moved_skills_time').on('moved_skills').column('moved_at').execute()
}

export async function down({ schema }: Db): Promise<void> {
  await schema.dropTable('moved_skills').execute()
}
