import { findUsersNamed } from '../../platform/store/all-users.ts'
import type { Role } from '../../platform/store/user-record.ts'
import { randomBase62 } from '../../secrets/secrets.ts'
import { applyDeclaration } from './apply.ts'

/** 119 bits. */
const passwordLength = 20

/**
 * Adds a user with a random password, which the result has, and makes the account if there is none of
 * this name. Throws a line for each fault.
 */
export async function addUser(
  ctx: Parameters<typeof applyDeclaration>[0],
  { email, account, role }: { email: string; account: string; role: Role },
) {
  const users = await findUsersNamed(ctx.db.read, email)
  if (users.some(({ accountName }) => accountName === account)) {
    throw new Error(
      `${email} is a user of ${account} already. Give another password or role with skillpass-server apply.`,
    )
  }
  const password = randomBase62(ctx.random, passwordLength)
  const declaration = { accounts: [{ name: account, users: [{ email, role, password }] }] }
  const applied = await applyDeclaration(ctx, declaration).catch((error: unknown) => {
    throw error instanceof Error ? new Error(inWordsOfOptions(error.message)) : error
  })
  const [{ id: accountId, users: [user] = [] } = { id: '' }] = applied.accounts
  if (!user) throw new Error(`${email} was not added.`)
  return { ...user, role, accountId, accountName: account, password }
}

/** Names options where a declaration has places. */
const inWordsOfOptions = (lines: string): string =>
  lines.replace(/^accounts\[0\]\.users\[0\]\./gm, '').replace(/^accounts\[0\]\.name/gm, 'account')
