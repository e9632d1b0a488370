import { sql } from 'kysely'
import type { Db } from '../handle.ts'

/** What agents and repositories are proven to be, in place of whether. */
export async function up(trx: Db): Promise<void> {
  await replaceMarks(trx)
}

export async function down(trx: Db): Promise<void> {
  for (const table of ['agents', 'repositories'] as const) {
    await trx.schema
      .alterTable(table)
      .addColumn('verified', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update ${sql.table(table)} set verified = 1 where verified_as is not null`.execute(
      trx,
    )
    await trx.schema.alterTable(table).dropColumn('verified_as').execute()
  }
}

async function replaceMarks(trx: Db): Promise<void> {
  for (const table of ['agents', 'repositories'] as const) {
    await trx.schema.alterTable(table).addColumn('verified_as', 'text').execute()
  }
  await sql`
    update agents set verified_as = (
      select subject from verifications
      where agent_id = agents.id and method = 'dns' and owner = agents.username
        and verified_at is not null
      order by verified_at desc limit 1)
    where verified = 1`.execute(trx)
  await sql`
    update repositories set verified_as = (
      select subject from verifications
      where agent_id = repositories.agent_id and verified_at is not null
        and (lower(subject) = owner_key || '/' || name_key
          or (method = 'dns' and owner = owner_key))
      order by verified_at desc limit 1)
    where verified = 1`.execute(trx)
  for (const table of ['agents', 'repositories'] as const) {
    await trx.schema.alterTable(table).dropColumn('verified').execute()
  }
}
