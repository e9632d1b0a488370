import type { Db } from '../../db/open.ts'

/** The id of the account that a domain belongs to; `domain` in lower case. */
export async function findDomainAccount(db: Db, domain: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('account_domains')
    .select('account_id as accountId')
    .where('domain', '=', domain)
    .executeTakeFirst()
  return row?.accountId
}

/** Gives an account these domains and no others. Throws `UniqueViolation` for another's. */
export async function replaceDomains(
  trx: Db,
  accountId: string,
  domains: readonly string[],
): Promise<void> {
  await trx.deleteFrom('account_domains').where('account_id', '=', accountId).execute()
  for (const domain of new Set(domains)) {
    await trx.insertInto('account_domains').values({ domain, account_id: accountId }).execute()
  }
}
