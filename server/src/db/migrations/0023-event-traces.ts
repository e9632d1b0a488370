import type { Db } from '../handle.ts'

/** The trace of the request that caused a webhook's event. */
export async function up({ schema }: Db): Promise<void> {
  await schema.alterTable('webhook_events').addColumn('trace', 'text').execute()
}

export async function down({ schema }: Db): Promise<void> {
  await schema.alterTable('webhook_events').dropColumn('trace').execute()
}
