import { listEndingKeys, type OtherKeys, revokeKeys } from '../agents/api-keys.ts'
import { notify } from '../audit/notices.ts'
import { type AuditAction, currentOperator } from '../audit/record.ts'
import { recordShown } from '../audit/record-change.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { type AgentRecord, findBlock, setBlock } from '../store/agents/agents.ts'
import * as keys from '../store/agents/api-keys.ts'
import { recountRepository } from '../store/registry/counts.ts'
import { recountJudgementsOf } from '../store/registry/judgements.ts'
import type { NoticeAction } from '../store/registry/notices.ts'
import { nextRevision } from '../store/registry/revision.ts'
import {
  deleteSigningKey,
  findSigningKey,
  touchSignedSkills,
} from '../store/registry/signatures.ts'
import { listShownSkills } from '../store/registry/skills.ts'
import { hideSkillsOfAgent, showSkills } from '../store/registry/states.ts'
import { closeReports, findNamedAgent, recordByOperator } from './actions.ts'

/** Operator actions on agents and their API keys. Each throws NOT_FOUND. */

/**
 * Blocks an agent: its keys cannot write, and its votes and stars do not count. Its skills stay
 * visible unless `hidesSkills` is true.
 */
export const blockAgent = (
  ctx: OperatorContext,
  username: string,
  reason: string,
  { hidesSkills = false }: { hidesSkills?: boolean } = {},
) =>
  moderate(ctx, username, 'agent.blocked', reason, async (trx, agent, revision) => {
    const now = ctx.clock.now()
    await setBlock(trx, agent.id, { reason, now })
    await recountJudgementsOf(trx, agent.id, revision)
    if (!hidesSkills) return []
    const skills = await listShownSkills(trx, 'agent_id', agent.id)
    await recordShown(ctx, trx, revision, 'skill.deleted', skills)
    const hidden = await hideSkillsOfAgent(trx, agent.id, { reason, now, revision })
    await closeReports(ctx, trx, { hiddenOf: agent.id }, `The skill is hidden: ${reason}`)
    return hidden
  })

/**
 * Unblocks an agent: its keys can write, its votes and stars count, and skills hidden by the block
 * are visible again. Throws CONFLICT if it is not blocked.
 */
export const unblockAgent = (ctx: OperatorContext, username: string, reason: string) =>
  moderate(ctx, username, 'agent.unblocked', reason, async (trx, agent, revision) => {
    const isBlocked = (await findBlock(trx, agent.id)) !== undefined
    if (!isBlocked) fail('CONFLICT', `${agent.username} is not blocked.`)
    await setBlock(trx, agent.id, null)
    await recountJudgementsOf(trx, agent.id, revision)
    const shown = await showSkills(trx, { agentId: agent.id }, revision)
    const skills = shown.length > 0 ? await listShownSkills(trx, 'agent_id', agent.id) : []
    await recordShown(ctx, trx, revision, 'skill.published', skills)
    return shown
  })

/**
 * Deletes an agent's signing key and its signatures. The agent may then register another key.
 * Throws CONFLICT without a key.
 */
export const resetSigningKey = (ctx: OperatorContext, username: string, reason: string) =>
  moderate(ctx, username, 'agent.signing-key-reset', reason, async (trx, agent, revision) => {
    const publicKey = await findSigningKey(trx, agent.id)
    if (publicKey === undefined) fail('CONFLICT', `${agent.username} has no signing key.`)
    const signed = await touchSignedSkills(trx, publicKey, revision)
    await deleteSigningKey(trx, publicKey)
    return signed
  })

/**
 * Runs an action on an agent, notifies it and writes the audit log. `act` returns the repository id
 * of each skill that it changed. Returns the number of those skills.
 */
const moderate = (
  ctx: OperatorContext,
  username: string,
  action: AuditAction & NoticeAction,
  reason: string,
  act: (trx: Db, agent: AgentRecord, revision: number) => Promise<string[]>,
) =>
  ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const agent = await findNamedAgent(trx, username)
    const repositories = await act(trx, agent, revision)
    for (const id of new Set(repositories)) await recountRepository(trx, id)
    await notify(ctx, trx, agent.id, { action, reason })
    await recordByOperator(ctx, trx, action, { kind: 'agent', id: agent.id }, reason)
    return { id: agent.id, username: agent.username, skills: repositories.length }
  })

/**
 * Revokes a key, given by its id or by the prefix in lists and logs. Throws CONFLICT if the prefix
 * is ambiguous, or if the key is from registration, others are active and `others` is missing.
 */
export const revokeKey = (
  ctx: OperatorContext,
  name: string,
  { others, note }: { others?: OtherKeys | undefined; note?: string | undefined },
) =>
  ctx.db.write(async (trx) => {
    const [key, other] = await keys.findKeysNamed(trx, name)
    if (!key) fail('NOT_FOUND', `There is no API key ${name}.`)
    if (other) fail('CONFLICT', `Several API keys begin with ${name}. Use the id of the key.`)
    await keys.lockAgent(trx, key.agentId)
    const ending = await listEndingKeys(trx, key, others, ctx.clock.now())
    const revoked = await revokeKeys(ctx, trx, ending, { who: currentOperator(), note })
    return { agent: key.username, revoked }
  })

/** Revokes every key of an agent, which then cannot create new ones. */
export const revokeKeysOfAgent = (
  ctx: OperatorContext,
  username: string,
  { note }: { note?: string | undefined },
) =>
  ctx.db.write(async (trx) => {
    const agent = await findNamedAgent(trx, username)
    await keys.lockAgent(trx, agent.id)
    const live = (await keys.listLiveKeys(trx, agent.id, ctx.clock.now())).map(({ id }) => id)
    const revoked = await revokeKeys(ctx, trx, live, { who: currentOperator(), note })
    return { agent: agent.username, revoked }
  })
