import { didYouMean } from '@skillpass/contract'
import { notify } from '../audit/notices.ts'
import { type AuditAction, currentOperator, type Party, record } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { type AgentRecord, findAgent, findAgentByUsername } from '../store/agents/agents.ts'
import { listNames } from '../store/names.ts'
import type { NoticeAction } from '../store/registry/notices.ts'
import * as store from '../store/registry/reports.ts'
import { findRepositoryAt } from '../store/registry/repositories.ts'
import { nextRevision } from '../store/registry/revision.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { findSkill, findSkillBySlug } from '../store/registry/skills.ts'

export const recordByOperator = (
  ctx: OperatorContext,
  trx: Db,
  action: AuditAction,
  whom: Party,
  note: string | undefined,
): Promise<void> => record(ctx, trx, { action, who: currentOperator(), whom, note })

/**
 * Runs an operator's action on a skill, notifies its publisher and writes the audit log. `name` is
 * an id or `owner/repo/slug`. Throws NOT_FOUND.
 */
export const moderateSkill = (
  ctx: OperatorContext,
  name: string,
  action: AuditAction & NoticeAction,
  reason: string,
  act: (trx: Db, skill: SkillRecord, revision: number) => Promise<void>,
  noteOf: (skill: SkillRecord) => string = () => reason,
): Promise<SkillRecord> =>
  ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const skill = await findNamedSkill(trx, name)
    await act(trx, skill, revision)
    await notify(ctx, trx, skill.owner.id, { action, skill, reason })
    await recordByOperator(ctx, trx, action, { kind: 'skill', id: skill.id }, noteOf(skill))
    return skill
  })

/** Returns a skill by id or address, including a hidden one. Throws NOT_FOUND. */
export async function findNamedSkill(trx: Db, name: string): Promise<SkillRecord> {
  const missing = () => fail('NOT_FOUND', `There is no skill ${name}.`)
  const [owner, repo, slug, ...rest] = name.replace(/^\/+/, '').split('/')
  if (owner !== undefined && repo === undefined) {
    return (await findSkill(trx, owner.toLowerCase())) ?? missing()
  }
  if (!owner || !repo || !slug || rest.length > 0) {
    fail('NOT_FOUND', `"${name}" is neither an id nor an address OWNER/REPO/SKILL.`)
  }
  const repository = (await findRepositoryAt(trx, owner, repo)) ?? missing()
  return (await findSkillBySlug(trx, repository.id, slug.toLowerCase())) ?? missing()
}

/** Returns an agent by username or id. Throws NOT_FOUND. */
export async function findNamedAgent(trx: Db, username: string): Promise<AgentRecord> {
  const name = username.toLowerCase()
  const agent = (await findAgentByUsername(trx, name)) ?? (await findAgent(trx, name))
  if (agent) return agent
  const names = await listNames(trx, 'agent')
  return fail('NOT_FOUND', `There is no agent named ${username}.${didYouMean(username, names)}`)
}

/** Closes reports and tells the agents that sent them what the operator decided. */
export async function closeReports(
  ctx: OperatorContext,
  trx: Db,
  which: Parameters<typeof store.closeReports>[1],
  decision: string,
) {
  const closed = await store.closeReports(trx, which, { decision, now: ctx.clock.now() })
  for (const { agentId, skillId } of closed) {
    if (agentId === null) continue
    const skill = await findSkill(trx, skillId)
    const reason = decision || 'The operator has closed your report.'
    await notify(ctx, trx, agentId, { action: 'report.resolved', ...(skill && { skill }), reason })
  }
  return closed
}
