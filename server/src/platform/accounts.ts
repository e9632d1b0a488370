import type { Db } from '../db/open.ts'
import type { PlatformContext } from './context.ts'
import { type AccountRecord, insertAccount } from './store/accounts.ts'

/** Makes an account in the caller's transaction. Throws `UniqueViolation` when the name is taken. */
export async function createAccount(
  ctx: Pick<PlatformContext, 'clock' | 'random'>,
  trx: Db,
  input: Omit<AccountRecord, 'id' | 'createdAt'>,
): Promise<AccountRecord> {
  const account = { ...input, id: ctx.random.uuid(), createdAt: ctx.clock.now() }
  await insertAccount(trx, account)
  return account
}
