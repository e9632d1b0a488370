import { sql } from 'kysely'
import { titleSkeleton } from '../../text/reserved.ts'
import type { Db } from '../handle.ts'

const columns = ['sessions.network', 'sessions.browser', 'accounts.name_skeleton']
const index = 'create index accounts_skeleton on accounts (name_skeleton)'

const change = async (trx: Db, action: string, rest = '') => {
  for (const name of columns) {
    const [table, column] = name.split('.')
    await sql.raw(`alter table ${table} ${action} column ${column} ${rest}`).execute(trx)
  }
}

export async function up(trx: Db): Promise<void> {
  await change(trx, 'add', "text not null default ''")
  await sql.raw(index).execute(trx)
  for (const { id, name } of await trx.selectFrom('accounts').select(['id', 'name']).execute()) {
    const set = { name_skeleton: titleSkeleton(name) }
    await trx.updateTable('accounts').set(set).where('id', '=', id).execute()
  }
}

export async function down(trx: Db): Promise<void> {
  await trx.schema.dropIndex('accounts_skeleton').execute()
  await change(trx, 'drop')
}
