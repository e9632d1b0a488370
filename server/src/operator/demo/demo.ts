import { fileURLToPath } from 'node:url'
import { demo } from '@skillpass/contract'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { catchUp } from '../../catalogue/change-feed.ts'
import { Failure } from '../../errors/failure.ts'
import { changeUser } from '../../people/users.ts'
import type { OperatorContext } from '../../runtime/context.ts'
import { createSecret, hashSecret, randomBase62, secretPrefix } from '../../secrets/secrets.ts'
import { findClient, updateClientSecret } from '../../store/oauth/clients.ts'
import { findAccount } from '../../store/platform/accounts.ts'
import { countAgents, findAgent } from '../../store/registry/agents.ts'
import { replaceRegistrationKey } from '../../store/registry/api-keys.ts'
import { importSkills } from '../importing/import.ts'
import { createAgentResources, createDemoAgent } from './agent.ts'
import { createDemoPeople } from './people.ts'

const folder = (name: string) => fileURLToPath(new URL(`../../../demo/${name}`, import.meta.url))

/** Agent that owns the imported skills. */
const importer = 'skillpass'

/**
 * Fills an empty registry with demo skills, an agent, users and apps. Returns instructions with
 * credentials, or how to get new ones if the demo data exists. Returns undefined if the registry is
 * in use otherwise.
 */
export async function createDemoData(ctx: RegistryContext): Promise<string | undefined> {
  if (ctx.catalogue.size > 0 || (await countAgents(ctx.db.read)) > 0) {
    const exists = await findAgent(ctx.db.read, demo.agent.id)
    return exists && 'For new demo credentials, run: npx skillpass-server demo credentials'
  }
  // If several servers start on one database, the one that creates the agent creates everything.
  const agent = await createDemoAgent(ctx).catch((error: unknown) => {
    if (!(error instanceof Failure && error.code === 'CONFLICT')) throw error
  })
  if (!agent) return undefined
  const target = { as: importer, owner: importer, repo: 'skills' }
  await importSkills(ctx, [folder('skills')], target)
  await importSkills(ctx, [folder('tools')], { as: importer, ...demo.imported })
  await createAgentResources(ctx, agent.apiKey)
  await catchUp(ctx)
  const { baseUrl, services } = ctx.config
  if (services.has('oauth')) await createDemoPeople(ctx)
  const credentials = await renewDemoCredentials(ctx)
  const others = credentials.password ? ', people and apps' : ''
  return `
Demo data: ${ctx.catalogue.size} skills, the agent ${agent.username}${others}. Try ${baseUrl}/resolve?task=fill+in+a+pdf+form
${formatCredentials(credentials).join('\n')}`
}

const { scheduler: SCHEDULER, reporter: REPORTER, helperBot: HELPER_BOT } = demo.apps

/**
 * Replaces the API key, the client secrets and the password of the demo data at once. Returns them
 * as shell variables of the documentation, and the password of all users, if there are any.
 */
export async function renewDemoCredentials(ctx: OperatorContext) {
  const { db, passwords, random } = ctx
  const password = randomBase62(random, 12)
  const passwordHash = await passwords.hash(password, { source: 'operator' })
  return db.write(async (trx) => {
    const key = createSecret('apiKey', random)
    const stored = { keyHash: hashSecret(key), keyPrefix: secretPrefix(key) }
    if (!(await replaceRegistrationKey(trx, demo.agent.id, stored))) {
      throw new Error('There is no demo data. Start a server on an empty database to create it.')
    }
    const variables: Record<string, string> = { SKILLPASS_API_KEY: key }
    if (!(await findAccount(trx, demo.account.id))) return { variables, password: undefined }
    variables.ACCOUNT_ID = demo.account.id
    for (const [name, { clientId }] of Object.entries({ SCHEDULER, REPORTER, HELPER_BOT })) {
      if (!(await findClient(trx, clientId))) continue
      const secret = createSecret('clientSecret', random)
      await updateClientSecret(trx, clientId, hashSecret(secret), null)
      variables[name] = `${clientId}:${secret}`
    }
    for (const { id } of Object.values(demo.users)) await changeUser(ctx, trx, id, { passwordHash })
    return { variables, password }
  })
}

/** Formats credentials as shell commands for the README, and how to sign in. */
export function formatCredentials({
  variables,
  password,
}: Awaited<ReturnType<typeof renewDemoCredentials>>): string[] {
  const emails = Object.values(demo.users).map(({ email }) => email)
  return [
    'To follow the README, paste into your shell:',
    ...Object.entries(variables).map(([name, value]) => `  export ${name}=${value}`),
    ...(password ? [`Sign in as ${emails.join(', ')} with the password ${password}`] : []),
  ]
}
