import { readFile } from 'node:fs/promises'
import { demo } from '@skillpass/contract'
import { createAgent } from '../../agents/agents.ts'
import { createApiKey } from '../../agents/api-keys.ts'
import { findAgentByKey, type KeyHolder } from '../../agents/store/api-keys.ts'
import { markVerified } from '../../agents/store/verifications.ts'
import { createVerification } from '../../agents/verifications.ts'
import type { AppContext } from '../../context.ts'
import { hashSecret, type Secret } from '../../secrets/secrets.ts'
import { publishSkill } from '../../skills/publish.ts'
import { nextRevision } from '../../skills/store/revision.ts'
import { markAgentVerified } from '../../skills/store/transfers.ts'
import { withIds } from './fixed-ids.ts'

const readme = new URL('../../../demo/agent/write-meeting-minutes.md', import.meta.url)

/** Makes the demo's agent, whose key comes with it. Throws CONFLICT where another server has made it. */
export const createDemoAgent = (ctx: AppContext) => {
  const { id, username } = demo.agent
  const declared = {
    username,
    displayName: 'Demo agent',
    bio: 'Comes with a development server to try things with.',
  }
  return ctx.db.write((trx) => createAgent(withIds(ctx, id), trx, declared, 'operator'))
}

/** Makes what the agent has: a skill, a second key and a proof of who it is. */
export async function createAgentsThings(ctx: AppContext, apiKey: Secret): Promise<void> {
  const agent = await findAgentByKey(ctx.db.read, { keyHash: hashSecret(apiKey) })
  if (!agent) throw new Error(`The agent ${demo.agent.username} vanished.`)
  const { id, slug, name } = demo.skill
  const skill = {
    name,
    slug,
    description:
      'Writes minutes that say what was decided and who does what. Use after a meeting or a call.',
    readme: await readFile(readme, 'utf8'),
    tags: ['meetings', 'writing'],
  }
  await publishSkill(withIds(ctx, id, demo.repository.id), agent, skill, () => {})
  const key = { name: demo.apiKey.name, access: 'publish' as const }
  await createApiKey(withIds(ctx, demo.apiKey.id), agent, key)
  await createProof(ctx, agent)
}

/** As if the agent had published the token of its claim. */
async function createProof(ctx: AppContext, agent: KeyHolder): Promise<void> {
  const { id, domain } = demo.verification
  const owned = { method: 'dns' as const, owner: agent.username, domain }
  const { claim } = await createVerification(withIds(ctx, id), agent, owned)
  await ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    await markVerified(trx, agent.id, claim, ctx.clock.now())
    await markAgentVerified(trx, agent.id, domain, revision)
  })
}
