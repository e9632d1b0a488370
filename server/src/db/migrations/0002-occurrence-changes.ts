import { sql } from 'kysely'
import type { Db } from '../handle.ts'

export async function up(trx: Db): Promise<void> {
  for (const column of [
    'moved_to bigint',
    "changes text not null default '{}'",
    'cancelled_at bigint',
  ]) {
    await sql.raw(`alter table meeting_occurrences add column ${column}`).execute(trx)
  }
}

/** Deletes cancelled occurrences. Changed ones return to their planned start. */
export async function down(trx: Db): Promise<void> {
  await sql`delete from meeting_occurrences where cancelled_at is not null`.execute(trx)
  for (const column of ['moved_to', 'changes', 'cancelled_at']) {
    await trx.schema.alterTable('meeting_occurrences').dropColumn(column).execute()
  }
}
