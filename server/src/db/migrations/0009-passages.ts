import { randomInt } from 'node:crypto'
import type { Db } from '../handle.ts'

/** When skills first had their passages, what is said of copies, and the key that passages are hashed with. */
export async function up(trx: Db): Promise<void> {
  const { schema } = trx
  await schema.alterTable('skills').addColumn('passage_times', 'text').execute()
  await schema.alterTable('skills').addColumn('copy_of', 'text').execute()
  await schema.alterTable('skills').addColumn('copy_by', 'text').execute()
  await schema.alterTable('skills').addColumn('copy_reason', 'text').execute()
  await schema
    .alterTable('registry_revision')
    .addColumn('passage_key', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await trx
    .updateTable('registry_revision')
    .set({ passage_key: randomInt(1, 2 ** 31) })
    .execute()
}

export async function down({ schema }: Db): Promise<void> {
  await schema.alterTable('registry_revision').dropColumn('passage_key').execute()
  for (const column of ['copy_reason', 'copy_by', 'copy_of', 'passage_times']) {
    await schema.alterTable('skills').dropColumn(column).execute()
  }
}
