import { sql } from 'kysely'
import type { Db } from '../handle.ts'

const columns = ['moved_to bigint', "changes text not null default '{}'", 'cancelled_at bigint']

export async function up(trx: Db): Promise<void> {
  for (const one of columns) {
    await sql.raw(`alter table meeting_occurrences add column ${one}`).execute(trx)
  }
}

/** Deletes cancelled occurrences. Changed ones return to their planned start. */
export async function down(trx: Db): Promise<void> {
  await sql`delete from meeting_occurrences where cancelled_at is not null`.execute(trx)
  for (const one of columns) {
    const [name = ''] = one.split(' ')
    await trx.schema.alterTable('meeting_occurrences').dropColumn(name).execute()
  }
}
