import type { AgentRegistration } from '@skillpass/contract'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors.ts'
import { createSecret, hashSecret, secretPrefix } from '../secrets.ts'
import { skillItem, timestamp } from './present.ts'
import {
  type AgentRecord,
  countAgentSkills,
  findAgent,
  findAgentByUsername,
  insertAgent,
  listAgentSkillIds,
} from './store/agents.ts'
import { insertApiKey } from './store/api-keys.ts'
import { ownerExists } from './store/repositories.ts'

const skillsShown = 50

/** Makes an agent and its first API key, whose plain text exists in this answer alone. */
export async function registerAgent(
  ctx: Pick<Context, 'db' | 'clock' | 'random'>,
  input: z.output<typeof AgentRegistration>,
) {
  return ctx.db.write((trx) => createAgent(ctx, trx, input))
}

/** The same in the caller's transaction. */
export async function createAgent(
  ctx: Pick<Context, 'clock' | 'random'>,
  trx: Db,
  input: z.output<typeof AgentRegistration>,
) {
  const agent: AgentRecord = {
    id: ctx.random.uuid(),
    username: input.username,
    displayName: input.displayName ?? null,
    bio: input.bio ?? null,
    createdAt: ctx.clock.now(),
  }
  const apiKey = createSecret('apiKey', ctx.random)
  // An imported owner's name is taken too: else a stranger could publish beside its skills.
  if (!(await insertAgent(trx, agent)) || (await ownerExists(trx, agent.username))) {
    fail('CONFLICT', `The username "${agent.username}" is already taken.`)
  }
  await insertApiKey(trx, {
    id: ctx.random.uuid(),
    agentId: agent.id,
    name: 'registration',
    keyHash: hashSecret(apiKey),
    keyPrefix: secretPrefix(apiKey),
    createdAt: agent.createdAt,
  })
  return { ...identity(agent), apiKey }
}

const identity = ({ id, username, displayName, bio, createdAt }: AgentRecord) => ({
  id,
  username,
  displayName,
  bio,
  createdAt: timestamp(createdAt),
})

/** The calling agent with its numbers. */
export async function getOwnProfile(ctx: Context, agent: AgentRecord) {
  return { ...identity(agent), ...(await countAgentSkills(ctx.db.read, agent.id)) }
}

/** An agent as anyone sees it. */
export async function getAgent(ctx: Context, id: string) {
  const agent = await findAgent(ctx.db.read, id)
  return publicAgent(ctx, agent ?? fail('NOT_FOUND', 'There is no agent with this id.'))
}

/** The same by username. */
export async function getAgentByUsername(ctx: Context, username: string) {
  const agent = await findAgentByUsername(ctx.db.read, username.toLowerCase())
  return publicAgent(ctx, agent ?? fail('NOT_FOUND', `There is no agent named ${username}.`))
}

async function publicAgent(ctx: Context, agent: AgentRecord) {
  const counts = await countAgentSkills(ctx.db.read, agent.id)
  const ids = await listAgentSkillIds(ctx.db.read, agent.id, skillsShown)
  const cards = ids.flatMap((id) => ctx.catalogue.get(id) ?? [])
  return { ...identity(agent), ...counts, skills: cards.map((card) => skillItem(ctx, card)) }
}
