import { agentParty, record } from '../audit/record.ts'
import { fail } from '../errors/failure.ts'
import { refuseEnded } from './access/key-standing.ts'
import type { RegistryContext } from './context.ts'
import { quarantinedRules } from './lint/quarantine.ts'
import { ownSkill } from './skills.ts'
import { type AnswerRecord, keepAnswer, listAnswers, setAnswer } from './store/answers.ts'
import type { KeyHolder } from './store/api-keys.ts'
import { writeChange } from './store/revision.ts'
import type { SkillRecord } from './store/skill-record.ts'

/** A skill and what was answered to the findings that keep its current version out of resolve. */
export interface AnsweredSkill {
  readonly skill: SkillRecord
  readonly answers: readonly AnswerRecord[]
}

/**
 * Keeps what the publisher says of the findings in its current version. The operator's word stays above
 * it. CONFLICT where no finding keeps that version out of resolve.
 */
export async function answerFindings(
  ctx: RegistryContext,
  agent: KeyHolder,
  id: string,
  { version, text }: { version: number; text: string },
): Promise<AnsweredSkill> {
  const answered = await writeChange(ctx.db, async (trx, revision) => {
    await refuseEnded(ctx, trx, agent)
    const skill = await ownSkill(ctx, trx, agent, id)
    if (skill.version !== version) {
      fail('CONFLICT', `Version ${version} is not the current one, which is ${skill.version}.`)
    }
    if (quarantinedRules(ctx.config, skill).length === 0) {
      fail('CONFLICT', `Nothing keeps version ${version} out of resolve.`)
    }
    const place = { skillId: id, version }
    const decision = 'answered' as const
    const createdAt = ctx.clock.now()
    await keepAnswer(trx, place, { answeredBy: 'publisher', decision, text, createdAt })
    const answer = skill.answer ?? decision
    await setAnswer(trx, id, answer, revision)
    const [who, whom] = [agentParty(agent.id), { kind: 'skill', id } as const]
    await record(ctx, trx, { action: 'skill.answered', who, whom, note: `version ${version}` })
    return { skill: { ...skill, answer, revision }, answers: await listAnswers(trx, place) }
  })
  ctx.catalogue.put(answered.skill)
  return answered
}
