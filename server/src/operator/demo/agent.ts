import { readFile } from 'node:fs/promises'
import { demo } from '@skillpass/contract'
import { createAgent } from '../../agents/agents.ts'
import { createApiKey } from '../../agents/api-keys.ts'
import { createVerification } from '../../agents/verifications.ts'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { hashSecret, type Secret } from '../../secrets/secrets.ts'
import { publishSkill } from '../../skills/publish.ts'
import { findAgentByKey, type KeyHolder } from '../../store/registry/api-keys.ts'
import { markAgentVerified } from '../../store/registry/repositories.ts'
import { nextRevision } from '../../store/registry/revision.ts'
import { markVerified } from '../../store/registry/verifications.ts'
import { withFixedIds } from '../apply/fixed.ts'

const readme = new URL('../../../demo/agent/write-meeting-minutes.md', import.meta.url)

/** Creates the demo agent with an API key. Throws CONFLICT if another server has created it. */
export const createDemoAgent = (ctx: RegistryContext) => {
  const { id, username } = demo.agent
  const declared = {
    username,
    displayName: 'Demo agent',
    bio: 'An agent for trying out a development server.',
  }
  return ctx.db.write((trx) => createAgent(withFixedIds(ctx, id), trx, declared, 'operator'))
}

/** Creates a skill, a second API key and a verified domain for the agent. */
export async function createAgentResources(ctx: RegistryContext, apiKey: Secret): Promise<void> {
  const agent = await findAgentByKey(ctx.db.read, { keyHash: hashSecret(apiKey) })
  if (!agent) throw new Error(`The agent ${demo.agent.username} does not exist.`)
  const { id, slug, name } = demo.skill
  const skill = {
    name,
    slug,
    description:
      'Writes minutes that say what was decided and who does what. Use after a meeting or a call.',
    readme: await readFile(readme, 'utf8'),
    tags: ['meetings', 'writing'],
  }
  await publishSkill(withFixedIds(ctx, demo.repository.id, id), agent, skill, () => {})
  const key = { name: demo.apiKey.name, access: 'publish' as const }
  await createApiKey(withFixedIds(ctx, demo.apiKey.id), agent, key)
  await createVerifiedDomain(ctx, agent)
}

/** Creates a verification and marks it as successful without a DNS lookup. */
async function createVerifiedDomain(ctx: RegistryContext, agent: KeyHolder): Promise<void> {
  const { id, domain } = demo.verification
  const input = { method: 'dns' as const, owner: agent.username, domain }
  const { claim } = await createVerification(withFixedIds(ctx, id), agent, input)
  await ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    await markVerified(trx, agent.id, claim, ctx.clock.now())
    await markAgentVerified(trx, agent.id, domain, revision)
  })
}
