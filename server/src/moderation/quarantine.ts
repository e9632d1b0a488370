import { requireLiveCaller } from '../agents/key-status.ts'
import type { KeyHolder } from '../agents/store/api-keys.ts'
import { agentParty, record } from '../audit/record.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../context/context.ts'
import type { Db } from '../db/open.ts'
import type { RegistryContext } from '../discovery/context.ts'
import { isHeld, quarantinedRules } from '../discovery/quarantine.ts'
import { fail } from '../errors/failure.ts'
import { writeChange } from '../skills/store/revision.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'
import { listSkillsAfter } from '../skills/store/skills.ts'
import { ownSkill } from './hidden.ts'
import { notify } from './notices.ts'
import { type AnswerRecord, listAnswers, setState, storeAnswer } from './store/states.ts'

type Judging = Pick<Context, 'db'> & { config: Pick<Config, 'quarantine'> }

export interface AnsweredSkill {
  readonly skill: SkillRecord
  readonly answers: readonly AnswerRecord[]
}

/** Returns the answers to the findings that keep a skill's current version out of resolve. */
export const answersOf = async ({ config, db }: Judging, skill: SkillRecord) =>
  quarantinedRules(config, skill).length === 0 ? [] : listAnswers(db.read, skill.id)

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
    const skill = await ownSkill(trx, agent, id)
    if (skill.version !== version) {
      fail('CONFLICT', `Version ${version} is not current. Answer for version ${skill.version}.`)
    }
    if (quarantinedRules(ctx.config, skill).length === 0) {
      fail('CONFLICT', `Version ${version} needs no answer: no finding keeps it out of resolve.`)
    }
    const at = ctx.clock.now()
    const answer = { answeredBy: 'publisher', decision: 'answered', text, createdAt: at } as const
    await storeAnswer(trx, id, answer)
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
  ctx: Judging,
  { after, limit }: { after: string; limit: number },
) {
  const found: (AnsweredSkill & { rules: readonly string[] })[] = []
  for (let last = after; found.length < limit; ) {
    const skills = await listSkillsAfter(ctx.db.read, last, pageSize, ['notice', 'warning'])
    for (const skill of skills.filter((skill) => isHeld(ctx.config, skill))) {
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

/** Notifies a publisher that its version is quarantined, in the transaction that stored it. */
export async function notifyHeld(
  ctx: Pick<Context, 'clock' | 'random'> & { config: Pick<Config, 'quarantine'> },
  trx: Db,
  skill: SkillRecord,
): Promise<void> {
  if (!isHeld(ctx.config, skill)) return
  const rules = quarantinedRules(ctx.config, skill).join(', ')
  const reason = `Version ${skill.version} is kept out of resolve because the lint found ${rules}. Answer with POST /api/v1/skills/${skill.id}/answer.`
  await notify(ctx, trx, skill.owner.id, { action: 'skill.quarantined', skill, reason })
}
