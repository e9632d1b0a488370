import { sql } from 'kysely'
import type { Db } from '../handle.ts'

/** Every signature that was ever published. Skills and their versions are deleted, these are not. */
export async function up(trx: Db): Promise<void> {
  await trx.schema
    .createTable('published_signatures')
    .addColumn('value', 'text', (column) => column.primaryKey().notNull())
    .execute()
  await sql`
    insert into published_signatures (value)
    select distinct value from version_signatures`.execute(trx)
}

export async function down({ schema }: Db): Promise<void> {
  await schema.dropTable('published_signatures').execute()
}
