import { currentOperator, type Operating } from '../../audit/operator.ts'
import { type AuditAction, record } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors/failure.ts'
import { didYouMean } from '../../names/closest.ts'
import { addAgentCounts } from '../store/agent-counts.ts'
import { type AgentRecord, findAgent, findAgentByUsername } from '../store/agents.ts'
import {
  type ListedAgent,
  listAgents as listFromStore,
  listUsernames,
} from '../store/all-agents.ts'
import * as moderation from '../store/moderation.ts'
import { recountDownloads } from '../store/repositories.ts'
import { nextRevision } from '../store/revision.ts'
import { deleteSigningKey, findSigningKey, raiseSignedSkills } from '../store/signatures.ts'
import { recountStars } from '../store/stars.ts'
import { aging } from '../votes/trust.ts'
import { notify } from './notices.ts'

/** What the operator does to agents. */

/** An agent that the operator has dealt with, and how many skills that changed. */
export interface ModeratedAgent {
  readonly id: string
  readonly username: string
  readonly skills: number
}

/** Agents in the order of their usernames. */
export const listAgents = (
  { db, clock }: Operating,
  page: Omit<Parameters<typeof listFromStore>[1], 'now'>,
): Promise<ListedAgent[]> => listFromStore(db.read, { ...page, now: clock.now() })

/**
 * Blocks an agent: its keys write nothing any more, and its votes and stars count for nothing. Its
 * skills stay, unless `hidesSkills`. Throws NOT_FOUND.
 */
export const blockAgent = (
  ctx: Operating,
  username: string,
  reason: string,
  { hidesSkills = false }: { hidesSkills?: boolean } = {},
): Promise<ModeratedAgent> =>
  moderate(ctx, username, 'agent.blocked', reason, async (trx, agent) => {
    const now = ctx.clock.now()
    const revision = await nextRevision(trx)
    const isBlocked = (await moderation.findBlock(trx, agent.id)) !== undefined
    await moderation.blockAgent(trx, agent.id, { reason, now })
    if (!isBlocked) await addAgentCounts(trx, agent.id, 'take', { revision, aging })
    if (!hidesSkills) return []
    return moderation.hideSkillsOfAgent(trx, agent.id, { reason, now, revision })
  })

/**
 * Lets an agent write again, has its votes and stars count, and brings the skills back that were
 * hidden with it. Throws NOT_FOUND, and CONFLICT where it is not blocked.
 */
export const unblockAgent = (
  ctx: Operating,
  username: string,
  reason: string,
): Promise<ModeratedAgent> =>
  moderate(ctx, username, 'agent.unblocked', reason, async (trx, agent) => {
    const revision = await nextRevision(trx)
    const isBlocked = (await moderation.findBlock(trx, agent.id)) !== undefined
    if (!isBlocked) fail('CONFLICT', `${agent.username} is not blocked.`)
    await moderation.unblockAgent(trx, agent.id)
    await addAgentCounts(trx, agent.id, 'bring back', { revision, aging })
    return moderation.showSkillsOfAgent(trx, agent.id, revision)
  })

/**
 * Takes an agent's signing key from it, which then registers another one; what it signed stands unsigned.
 * Throws NOT_FOUND, and CONFLICT where it has none.
 */
export const resetSigningKey = (
  ctx: Operating,
  username: string,
  reason: string,
): Promise<ModeratedAgent> =>
  moderate(ctx, username, 'agent.signing-key-reset', reason, async (trx, agent) => {
    const revision = await nextRevision(trx)
    const publicKey = await findSigningKey(trx, agent.id)
    if (publicKey === undefined) fail('CONFLICT', `${agent.username} has no signing key.`)
    const signed = await raiseSignedSkills(trx, publicKey, revision)
    await deleteSigningKey(trx, publicKey)
    return signed
  })

/** `act` gives the repository of each skill that it changed. */
async function moderate(
  ctx: Operating,
  username: string,
  action: Extract<AuditAction, 'agent.blocked' | 'agent.unblocked' | 'agent.signing-key-reset'>,
  reason: string,
  act: (trx: Db, agent: AgentRecord) => Promise<string[]>,
): Promise<ModeratedAgent> {
  return ctx.db.write(async (trx) => {
    const agent = await findNamedAgent(trx, username)
    const repositories = await act(trx, agent)
    for (const id of new Set(repositories)) {
      await recountStars(trx, id)
      await recountDownloads(trx, id)
    }
    await notify(ctx, trx, agent.id, { action, reason })
    const whom = { kind: 'agent', id: agent.id } as const
    await record(ctx, trx, { action, who: currentOperator(), whom, note: reason })
    return { id: agent.id, username: agent.username, skills: repositories.length }
  })
}

/** The agent with this username or id. Throws NOT_FOUND. */
export async function findNamedAgent(trx: Db, username: string): Promise<AgentRecord> {
  const name = username.toLowerCase()
  const agent = (await findAgentByUsername(trx, name)) ?? (await findAgent(trx, name))
  if (agent) return agent
  const names = await listUsernames(trx)
  return fail('NOT_FOUND', `There is no agent named ${username}.${didYouMean(username, names)}`)
}
