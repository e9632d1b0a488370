import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { countRows } from '../../db/rows.ts'

const fields = ['id', 'name', 'masterAccountId', 'createdAt'] as const

const columns = columnsOf('accounts', [...fields, 'requireAppApproval'])

type Row = Pick<Fields<'accounts'>, (typeof fields)[number] | 'requireAppApproval'>

/** Times are milliseconds since 1970. */
export type AccountRecord = Omit<Row, 'requireAppApproval'> & {
  /** Whether an admin must approve an app before users may authorize it. */
  requireAppApproval: boolean
}

const record = (row: Row): AccountRecord => ({
  ...row,
  requireAppApproval: row.requireAppApproval === 1,
})

/** Stores a new account. Throws `UniqueViolation` if the name is taken. */
export const insertAccount = (trx: Db, account: AccountRecord) => inserting(trx, account).execute()

/** Stores an account unless it exists. */
export const ensureAccount = (trx: Db, account: AccountRecord) =>
  inserting(trx, account)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

const inserting = (trx: Db, account: AccountRecord) =>
  trx.insertInto('accounts').values({
    ...toRow(account, fields),
    require_app_approval: account.requireAppApproval ? 1 : 0,
  })

/** Returns undefined if the setting already has this value. */
export const updateRequireAppApproval = (trx: Db, id: string, value: boolean) =>
  trx
    .updateTable('accounts')
    .set({ require_app_approval: value ? 1 : 0 })
    .where('id', '=', id)
    .where('require_app_approval', '!=', value ? 1 : 0)
    .returning('id')
    .executeTakeFirst()

export const findAccount = (db: Db, id: string): Promise<AccountRecord | undefined> =>
  findBy(db, 'id', id)

export const findAccountByName = (db: Db, name: string): Promise<AccountRecord | undefined> =>
  findBy(db, 'name', name)

async function findBy(db: Db, column: 'id' | 'name', value: string) {
  const query = db.selectFrom('accounts').select(columns).where(column, '=', value)
  const row = await query.executeTakeFirst()
  return row && record(row)
}

export const countAccounts = (db: Db) => countRows(db.selectFrom('accounts'))
