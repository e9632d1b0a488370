import { sql } from 'kysely'
import { titleSkeleton } from '../../text/reserved.ts'
import type { Db } from '../handle.ts'

const statements = `
alter table sessions add column network text;
alter table sessions add column browser text not null default '';
alter table accounts add column name_skeleton text not null default '';
create index accounts_skeleton on accounts (name_skeleton)`

export async function up(trx: Db): Promise<void> {
  for (const statement of statements.split(';')) await sql.raw(statement).execute(trx)
  for (const { id, name } of await trx.selectFrom('accounts').select(['id', 'name']).execute()) {
    const nameSkeleton = titleSkeleton(name)
    await trx
      .updateTable('accounts')
      .set({ name_skeleton: nameSkeleton })
      .where('id', '=', id)
      .execute()
  }
}

/** The pages no longer say where a session began. */
export async function down(trx: Db): Promise<void> {
  await trx.schema.dropIndex('accounts_skeleton').execute()
  await trx.schema.alterTable('accounts').dropColumn('name_skeleton').execute()
  for (const column of ['network', 'browser']) {
    await trx.schema.alterTable('sessions').dropColumn(column).execute()
  }
}
