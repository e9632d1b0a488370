import type { Db } from '../../db/open.ts'

/** An account: a company that has users and apps. Times are milliseconds since 1970. */
export interface AccountRecord {
  id: string
  name: string
  /** The account that this is a sub-account of. */
  masterAccountId: string | null
  /** Whether an admin approves an app before users may authorize it. */
  requireAppApproval: boolean
  createdAt: number
}

const columns = [
  'id',
  'name',
  'master_account_id as masterAccountId',
  'require_app_approval as requireAppApproval',
  'created_at as createdAt',
] as const

type Row = Omit<AccountRecord, 'requireAppApproval'> & { requireAppApproval: 0 | 1 }

const record = (row: Row): AccountRecord => ({
  ...row,
  requireAppApproval: row.requireAppApproval === 1,
})

/** Keeps a new account. Throws `UniqueViolation` when the name is taken. */
export async function insertAccount(trx: Db, account: AccountRecord): Promise<void> {
  await trx
    .insertInto('accounts')
    .values({
      id: account.id,
      name: account.name,
      master_account_id: account.masterAccountId,
      require_app_approval: account.requireAppApproval ? 1 : 0,
      created_at: account.createdAt,
    })
    .execute()
}

/** Sets whether users of the account need an admin's approval of apps. */
export async function updateRequireAppApproval(
  trx: Db,
  id: string,
  value: boolean,
): Promise<boolean> {
  const row = await trx
    .updateTable('accounts')
    .set({ require_app_approval: value ? 1 : 0 })
    .where('id', '=', id)
    .where('require_app_approval', '!=', value ? 1 : 0)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The account with this id. */
export async function findAccount(db: Db, id: string): Promise<AccountRecord | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && record(row)
}

/** The account with this name. */
export async function findAccountByName(db: Db, name: string): Promise<AccountRecord | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select(columns)
    .where('name', '=', name)
    .executeTakeFirst()
  return row && record(row)
}

/** How many accounts there are. */
export async function countAccounts(db: Db): Promise<number> {
  const row = await db
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}
