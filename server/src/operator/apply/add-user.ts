import { findUsersNamed } from '../../platform/store/all-users.ts'
import type { Role } from '../../platform/store/user-record.ts'
import { randomBase62 } from '../../secrets/secrets.ts'
import { applyDeclaration } from './apply.ts'

/** In base 62 characters: 119 bits of entropy. */
const passwordLength = 20

/**
 * Adds a user with a random password, which is part of the result. Creates the account if it does
 * not exist. Throws an error with one line per problem.
 */
export async function addUser(
  ctx: Parameters<typeof applyDeclaration>[0],
  { email, account, role }: { email: string; account: string; role: Role },
) {
  const users = await findUsersNamed(ctx.db.read, email)
  if (users.some(({ accountName }) => accountName === account)) {
    throw new Error(
      `${email} is already a user of ${account}. Change the password or role with skillpass-server apply.`,
    )
  }
  const password = randomBase62(ctx.random, passwordLength)
  const declaration = { accounts: [{ name: account, users: [{ email, role, password }] }] }
  const applied = await applyDeclaration(ctx, declaration).catch((error: unknown) => {
    throw error instanceof Error ? new Error(namePlacesAsOptions(error.message)) : error
  })
  const [{ id: accountId, users: [user] = [] } = { id: '' }] = applied.accounts
  if (!user) throw new Error(`${email} was not added.`)
  return { ...user, role, accountId, accountName: account, password }
}

/** Replaces places in the declaration with the names of the command's options. */
const namePlacesAsOptions = (lines: string): string =>
  lines.replace(/^accounts\[0\]\.users\[0\]\./gm, '').replace(/^accounts\[0\]\.name/gm, 'account')
