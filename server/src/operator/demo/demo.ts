import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { demo } from '@skillpass/contract'
import { createApiKey } from '../../agents/api-keys.ts'
import { createTrustedPublisher } from '../../agents/trusted-publishers.ts'
import { createVerification } from '../../agents/verifications.ts'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { catchUp } from '../../catalogue/change-feed.ts'
import { endMeeting, startMeeting } from '../../meetings/meeting-state.ts'
import { recordMeeting } from '../../meetings/recordings.ts'
import { changeUser } from '../../people/users.ts'
import type { OperatorContext } from '../../runtime/context.ts'
import {
  createSecret,
  hashSecret,
  randomBase62,
  type Secret,
  secretPrefix,
} from '../../secrets/secrets.ts'
import { publishSkill } from '../../skills/publish.ts'
import { countAgents, findAgent } from '../../store/agents/agents.ts'
import { findAgentByKey, replaceRegistrationKey } from '../../store/agents/api-keys.ts'
import { markVerified } from '../../store/agents/verifications.ts'
import { findClient, updateClientSecret } from '../../store/oauth/clients.ts'
import { countAccounts, findAccount } from '../../store/platform/accounts.ts'
import { insertContentAccess } from '../../store/platform/content-access.ts'
import { markAgentVerified } from '../../store/registry/repositories.ts'
import { nextRevision } from '../../store/registry/revision.ts'
import { writeRemovals } from '../../webhooks/outbox.ts'
import { applyDeclaration } from '../apply/apply.ts'
import { withFixedIds } from '../apply/fixed.ts'
import { applySeed } from '../double/seed.ts'
import { importSkills } from '../importing/import.ts'
import { demoSeed } from './seed.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`../../../demo/${name}`, import.meta.url))

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
  const bio = 'An agent for trying out a development server.'
  const declared = { ...demo.agent, displayName: 'Demo agent', bio }
  const { agents } = await applyDeclaration(ctx, { agents: [declared] })
  // If several servers start on one database, the one that creates the agent creates everything.
  const apiKey = agents[0]?.apiKey
  if (apiKey === undefined) return undefined
  const target = { as: importer, owner: importer, repo: 'skills' }
  await importSkills(ctx, [fileOf('skills')], target)
  await importSkills(ctx, [fileOf('tools')], { as: importer, ...demo.imported })
  await createAgentResources(ctx, apiKey)
  await catchUp(ctx)
  const { baseUrl, services } = ctx.config
  if (services.has('oauth') && (await countAccounts(ctx.db.read)) === 0) {
    await applySeed(ctx, demoSeed(ctx.config))
    await createEvents(ctx)
  }
  const credentials = await renewDemoCredentials(ctx)
  const others = credentials.password ? ', people and apps' : ''
  return `
Demo data: ${ctx.catalogue.size} skills, the agent ${demo.agent.username}${others}. Try ${baseUrl}/resolve?task=fill+in+a+pdf+form
${formatCredentials(credentials).join('\n')}`
}

/** Creates a skill, a second API key and a verified domain for the agent. */
async function createAgentResources(ctx: RegistryContext, apiKey: Secret): Promise<void> {
  const agent = await findAgentByKey(ctx.db.read, { keyHash: hashSecret(apiKey) })
  if (!agent) throw new Error(`The agent ${demo.agent.username} does not exist.`)
  const { id, slug, name } = demo.skill
  const skill = {
    name,
    slug,
    description:
      'Writes minutes that say what was decided and who does what. Use after a meeting or a call.',
    readme: await readFile(fileOf('agent/write-meeting-minutes.md'), 'utf8'),
    tags: ['meetings', 'writing'],
  }
  await publishSkill(withFixedIds(ctx, demo.repository.id, id), agent, skill, () => {})
  const key = { name: demo.apiKey.name, access: 'publish' as const }
  await createApiKey(withFixedIds(ctx, demo.apiKey.id), agent, key)
  const { id: publisherId, ...workflow } = demo.trustedPublisher
  const [issuer = ''] = ctx.config.trustedIssuers
  await createTrustedPublisher(withFixedIds(ctx, publisherId), agent, { ...workflow, issuer })
  const { id: claimId, domain } = demo.verification
  const input = { method: 'dns' as const, owner: agent.username, domain }
  const { claim } = await createVerification(withFixedIds(ctx, claimId), agent, input)
  // Marked as successful without a DNS lookup.
  await ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    await markVerified(trx, agent.id, claim, ctx.clock.now())
    await markAgentVerified(trx, agent.id, domain, revision)
  })
}

/**
 * Holds and records a meeting. Creates an app's access to the content of the other one, and a
 * webhook about a removed user.
 */
async function createEvents(ctx: RegistryContext): Promise<void> {
  await startMeeting(ctx, demo.pastMeeting)
  await endMeeting(ctx, demo.pastMeeting)
  await recordMeeting(withFixedIds(ctx, demo.recording), demo.pastMeeting)
  const now = ctx.clock.now()
  const { reporter, scheduler } = demo.apps
  const accountId = demo.account.id
  await ctx.db.write(async (trx) => {
    await insertContentAccess(
      trx,
      {
        id: demo.contentAccess,
        meetingId: demo.meeting,
        contentType: 'transcript',
        createdAt: now,
      },
      { appId: reporter.id, grantId: null, accountId },
    )
    const { id: appId, clientId } = scheduler
    const removal = { appId, userId: ctx.random.uuid(), accountId, clientId }
    await writeRemovals(withFixedIds(ctx, demo.delivery), trx, [removal], now)
  })
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
