import type { Db } from '../handle.ts'

/**
 * What the lint found in each version, and on skills what readers are told of the current one. Rows of
 * before have a lint version of 0, so that the server lints them; until then they have no verdict.
 */
export async function up({ schema }: Db): Promise<void> {
  await schema.alterTable('skill_versions').addColumn('verdict', 'text').execute()
  await schema.alterTable('skill_versions').addColumn('findings', 'text').execute()
  await schema
    .alterTable('skill_versions')
    .addColumn('lint_version', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema
    .createIndex('skill_versions_lint')
    .on('skill_versions')
    .column('lint_version')
    .execute()
  await schema.alterTable('skills').addColumn('verdict', 'text').execute()
  await schema.alterTable('skills').addColumn('warnings', 'text').execute()
  await schema.createIndex('skills_verdict').on('skills').column('verdict').execute()
}

export async function down({ schema }: Db): Promise<void> {
  await schema.dropIndex('skills_verdict').execute()
  await schema.alterTable('skills').dropColumn('warnings').execute()
  await schema.alterTable('skills').dropColumn('verdict').execute()
  await schema.dropIndex('skill_versions_lint').execute()
  await schema.alterTable('skill_versions').dropColumn('lint_version').execute()
  await schema.alterTable('skill_versions').dropColumn('findings').execute()
  await schema.alterTable('skill_versions').dropColumn('verdict').execute()
}
