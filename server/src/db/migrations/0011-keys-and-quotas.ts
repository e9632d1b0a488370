import type { Db } from '../handle.ts'

/** What a key opens, until when, who made it and where it was used; what agents publish in a day. */
export async function up({ schema }: Db): Promise<void> {
  const keys = () => schema.alterTable('api_keys')
  await keys()
    .addColumn('access', 'text', (column) => column.notNull().defaultTo('full'))
    .execute()
  await keys().addColumn('expires_at', 'bigint').execute()
  // No foreign key: SQLite could not drop the column again. Keys are never deleted.
  await keys().addColumn('parent_id', 'text').execute()
  await keys().addColumn('last_used_network', 'text').execute()
  await schema.createIndex('api_keys_parent').on('api_keys').column('parent_id').execute()
  await schema
    .createTable('agent_usage')
    .addColumn('agent_id', 'text', (column) => column.notNull().references('agents.id'))
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('skills', 'bigint', (column) => column.notNull())
    .addColumn('versions', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('words', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('agent_usage_key', ['day', 'agent_id'])
    .execute()
}

export async function down({ schema }: Db): Promise<void> {
  await schema.dropTable('agent_usage').execute()
  await schema.dropIndex('api_keys_parent').execute()
  for (const column of ['last_used_network', 'parent_id', 'expires_at', 'access']) {
    await schema.alterTable('api_keys').dropColumn(column).execute()
  }
}
