import { demo } from '@skillpass/contract'
import { findAgent } from '../../agents/store/agents.ts'
import { replaceFirstKey } from '../../agents/store/api-keys.ts'
import { findClient, updateClientSecret } from '../../apps/store/clients.ts'
import type { AppContext } from '../../context.ts'
import { hashPassword } from '../../platform/passwords.ts'
import { findAccount } from '../../platform/store/accounts.ts'
import { changeUser } from '../../platform/user-changes.ts'
import { createSecret, hashSecret, randomBase62, secretPrefix } from '../../secrets/secrets.ts'

/** Credentials of the demo data. */
export interface DemoCredentials {
  /** Values of the shell variables in the documentation. */
  readonly variables: Readonly<Record<string, string>>
  /** Of all demo users. Undefined without the authorization service. */
  readonly password?: string
}

const { scheduler: SCHEDULER, reporter: REPORTER, helperBot: HELPER_BOT } = demo.apps

/** Replaces the API key, the client secrets and the password of the demo data at once. */
export async function renewDemoCredentials({
  db,
  random,
}: Pick<AppContext, 'db' | 'random'>): Promise<DemoCredentials> {
  const password = randomBase62(random, 12)
  const passwordHash = await hashPassword(password, random, { source: 'operator' })
  return db.write(async (trx) => {
    const variables: Record<string, string> = {}
    if (await findAgent(trx, demo.agent.id)) {
      const key = createSecret('apiKey', random)
      const stored = { keyHash: hashSecret(key), keyPrefix: secretPrefix(key) }
      await replaceFirstKey(trx, demo.agent.id, stored)
      variables.SKILLPASS_API_KEY = key
    }
    if (!(await findAccount(trx, demo.account.id))) return { variables }
    variables.ACCOUNT_ID = demo.account.id
    for (const [name, { clientId }] of Object.entries({ SCHEDULER, REPORTER, HELPER_BOT })) {
      if (!(await findClient(trx, clientId))) continue
      const secret = createSecret('clientSecret', random)
      await updateClientSecret(trx, clientId, hashSecret(secret), null)
      variables[name] = `${clientId}:${secret}`
    }
    for (const { id } of Object.values(demo.users)) await changeUser(trx, id, { passwordHash })
    return { variables, password }
  })
}

/** Formats credentials as shell commands for the README, and how to sign in. */
export function formatCredentials({ variables, password }: DemoCredentials): string[] {
  const emails = Object.values(demo.users).map(({ email }) => email)
  return [
    'To follow the README, paste into your shell:',
    ...Object.entries(variables).map(([name, value]) => `  export ${name}=${value}`),
    ...(password ? [`Sign in as ${emails.join(', ')} with the password ${password}`] : []),
  ]
}
