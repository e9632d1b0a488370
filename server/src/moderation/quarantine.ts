import { requireLiveCaller } from '../agents/api-keys.ts'
import { agentParty, record } from '../audit/record.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { type AnsweredSkill, isQuarantined, quarantinedRules } from '../catalogue/quarantine.ts'
import { ownSkill } from '../catalogue/require-skill.ts'
import { fail } from '../errors/failure.ts'
import type { OperatorContext } from '../runtime/context.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import { listAnswers, upsertAnswer } from '../store/registry/answers.ts'
import { writeChange } from '../store/registry/revision.ts'
import { listSkillsAfter } from '../store/registry/skills.ts'
import { setState } from '../store/registry/states.ts'

/**
 * Stores a publisher's answer to the findings in the current version of its skill. An operator's
 * decision takes precedence. Throws CONFLICT if no finding keeps that version out of resolve.
 */
export async function answerFindings(
  ctx: RegistryContext,
  agent: KeyHolder,
  id: string,
  { version, text }: { version: number; text: string },
): Promise<AnsweredSkill> {
  const answered = await writeChange(ctx.db, async (trx, revision) => {
    await requireLiveCaller(ctx, trx, agent)
    const skill = await ownSkill(ctx, trx, agent, id)
    if (skill.version !== version) {
      fail('CONFLICT', `Version ${version} is not current. Answer for version ${skill.version}.`)
    }
    if (quarantinedRules(ctx.config, skill).length === 0) {
      fail('CONFLICT', `Version ${version} needs no answer: no finding keeps it out of resolve.`)
    }
    const at = ctx.clock.now()
    const answer = { answeredBy: 'publisher', decision: 'answered', text, createdAt: at } as const
    await upsertAnswer(trx, id, answer)
    const state =
      skill.stateBy === 'operator'
        ? skill
        : ({ state: 'visible', stateBy: 'publisher', stateReason: text } as const)
    await setState(trx, id, { ...state, at }, revision)
    const [who, whom] = [agentParty(agent.id), { kind: 'skill', id } as const]
    await record(ctx, trx, { action: 'skill.answered', who, whom, note: `version ${version}` })
    return { skill: { ...skill, ...state, revision }, answers: await listAnswers(trx, id) }
  })
  ctx.catalogue.put(answered.skill)
  return answered
}

/** Skills per query. */
const pageSize = 500

/** Lists up to `limit` quarantined skills with ids after `after`. */
export async function listQuarantined(
  ctx: OperatorContext,
  { after, limit }: { after: string; limit: number },
) {
  const found: (AnsweredSkill & { rules: readonly string[] })[] = []
  for (let last = after; found.length < limit; ) {
    const skills = await listSkillsAfter(ctx.db.read, last, pageSize, ['notice', 'warning'])
    for (const skill of skills.filter((skill) => isQuarantined(ctx.config, skill))) {
      if (found.length === limit) break
      const answers = await listAnswers(ctx.db.read, skill.id)
      found.push({ skill, rules: quarantinedRules(ctx.config, skill), answers })
    }
    const end = skills.at(-1)
    if (!end || skills.length < pageSize) break
    last = end.id
  }
  return found
}
