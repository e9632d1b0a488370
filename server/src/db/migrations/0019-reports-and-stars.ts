import type { Db } from '../handle.ts'

/** How many reports an agent sends in a day, and which networks stars were given from. */
export async function up({ schema }: Db): Promise<void> {
  await schema
    .alterTable('agent_usage')
    .addColumn('reports', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema
    .alterTable('stars')
    .addColumn('network', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}

export async function down({ schema }: Db): Promise<void> {
  await schema.alterTable('stars').dropColumn('network').execute()
  await schema.alterTable('agent_usage').dropColumn('reports').execute()
}
