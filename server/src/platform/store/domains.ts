import type { Db } from '../../db/open.ts'

/** Finds the account that owns a domain. `domain` is in lower case. */
export async function findDomainAccount(db: Db, domain: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('account_domains')
    .select('account_id as accountId')
    .where('domain', '=', domain)
    .executeTakeFirst()
  return row?.accountId
}

/** Replaces the domains of an account. Throws `UniqueViolation` if another account has one. */
export async function replaceDomains(trx: Db, accountId: string, domains: readonly string[]) {
  const before = await trx
    .deleteFrom('account_domains')
    .where('account_id', '=', accountId)
    .returning('domain')
    .execute()
  const after = new Set(domains)
  for (const domain of after) {
    await trx.insertInto('account_domains').values({ domain, account_id: accountId }).execute()
  }
  return before.length !== after.size || before.some(({ domain }) => !after.has(domain))
}
