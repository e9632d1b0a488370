import type { Db } from '../handle.ts'

/** Marks of the snapshots that processes keep of the catalogue on their disks. */
export async function up({ schema }: Db): Promise<void> {
  await schema
    .createTable('snapshot_marks')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
}

export async function down({ schema }: Db): Promise<void> {
  await schema.dropTable('snapshot_marks').execute()
}
