import { columnsOf, countRows, type Db, type Fields, toRow, valuesOf } from '../../db/query.ts'
import { titleSkeleton } from '../../text/reserved.ts'

const fields = ['id', 'name', 'masterAccountId', 'createdAt'] as const

/** Times are milliseconds since 1970. */
export type AccountRecord = Pick<Fields<'accounts'>, (typeof fields)[number]> & {
  /** Whether an admin must approve an app before users may authorize it. */
  requireAppApproval: boolean
}

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
    name_skeleton: titleSkeleton(account.name),
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
  const columns = columnsOf('accounts', [...fields, 'requireAppApproval'])
  const query = db.selectFrom('accounts').select(columns).where(column, '=', value)
  const row = await query.executeTakeFirst()
  return row && { ...row, requireAppApproval: row.requireAppApproval === 1 }
}

/** Finds an account that has this name or one that looks like it. */
export const findAccountLike = (db: Db, name: string) =>
  db
    .selectFrom('accounts')
    .select('id')
    .where('name_skeleton', '=', titleSkeleton(name))
    .executeTakeFirst()

export const countAccounts = (db: Db) => countRows(db.selectFrom('accounts'))

/** Finds the account that owns a domain. `domain` is in lower case. */
export async function findDomainAccount(db: Db, domain: string): Promise<string | undefined> {
  const query = db.selectFrom('account_domains').select('account_id').where('domain', '=', domain)
  return (await query.executeTakeFirst())?.account_id
}

/** Replaces the domains of an account. Throws `UniqueViolation` if another account has one. */
export async function replaceDomains(trx: Db, accountId: string, domains: readonly string[]) {
  const deletion = trx.deleteFrom('account_domains').where('account_id', '=', accountId)
  const before = await valuesOf(deletion.returning('domain'), 'domain')
  const after = new Set(domains)
  for (const domain of after) {
    await trx.insertInto('account_domains').values({ domain, account_id: accountId }).execute()
  }
  return before.length !== after.size || before.some((domain) => !after.has(domain))
}
