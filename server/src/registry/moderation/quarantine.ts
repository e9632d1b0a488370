import { currentOperator, type Operating } from '../../audit/operator.ts'
import { record } from '../../audit/record.ts'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/open.ts'
import { isHeld, quarantinedRules } from '../lint/quarantine.ts'
import { type AnswerRecord, keepAnswer, listAnswers, setAnswer } from '../store/answers.ts'
import { nextRevision } from '../store/revision.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { listFoundAfter } from '../store/verdicts.ts'
import { noteTexts } from './known-texts.ts'
import { addressOf, notify } from './notices.ts'
import { findNamedSkill, type Moderated } from './skills.ts'

/** What the operator decides of versions that are kept out of resolve. */

/** A skill whose current version the operator has decided on. */
export interface Decided extends Moderated {
  readonly version: number
}

/** Lets the current version of a skill into resolve, whatever was found in it. Throws NOT_FOUND. */
export const releaseSkill = (ctx: Operating, name: string, reason: string): Promise<Decided> =>
  decide(ctx, name, 'released', reason)

/**
 * Keeps a skill out of resolve as long as a rule names its current version, whatever its publisher answers
 * or changes, until it is released. Throws NOT_FOUND.
 */
export const holdSkill = (ctx: Operating, name: string, reason: string): Promise<Decided> =>
  decide(ctx, name, 'held', reason)

async function decide(
  ctx: Operating,
  name: string,
  decision: 'released' | 'held',
  reason: string,
): Promise<Decided> {
  return ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const skill = await findNamedSkill(trx, name)
    const { id, version } = skill
    await noteTexts(ctx, trx, skill, [version])
    const answer = { answeredBy: 'operator' as const, decision, text: reason }
    await keepAnswer(trx, { skillId: id, version }, { ...answer, createdAt: ctx.clock.now() })
    await setAnswer(trx, id, decision, revision)
    const action = `skill.${decision}` as const
    await notify(ctx, trx, skill.owner.id, { action, skill, reason })
    const [who, whom] = [currentOperator(), { kind: 'skill', id } as const]
    await record(ctx, trx, { action, who, whom, note: `version ${version}: ${reason}` })
    return { id, address: addressOf(skill), version }
  })
}

/** A skill in quarantine, as the operator sees it. */
export interface QuarantinedSkill {
  readonly skill: SkillRecord
  readonly rules: readonly string[]
  readonly answers: readonly AnswerRecord[]
}

/** Skills that are looked at in one query. */
const atOnce = 500

/** Up to `limit` skills that resolve leaves out, by their ids, from behind `after`. */
export async function listQuarantined(
  ctx: Pick<Context, 'db'> & { config: Pick<Config, 'quarantine'> },
  { after, limit }: { after: string; limit: number },
): Promise<QuarantinedSkill[]> {
  const found: QuarantinedSkill[] = []
  for (let last = after; found.length < limit; ) {
    const skills = await listFoundAfter(ctx.db.read, last, atOnce)
    for (const skill of skills.filter((skill) => isHeld(ctx.config, skill))) {
      if (found.length === limit) break
      const { id: skillId, version } = skill
      const answers = await listAnswers(ctx.db.read, { skillId, version })
      found.push({ skill, rules: quarantinedRules(ctx.config, skill), answers })
    }
    const end = skills.at(-1)
    if (!end || skills.length < atOnce) break
    last = end.id
  }
  return found
}

/** Tells a publisher, in the transaction that has kept it, that its version is kept out of resolve. */
export async function notifyHeld(
  ctx: Pick<Context, 'clock' | 'random'> & { config: Pick<Config, 'quarantine'> },
  trx: Db,
  skill: SkillRecord,
): Promise<void> {
  if (!isHeld(ctx.config, skill)) return
  const rules = quarantinedRules(ctx.config, skill).join(', ')
  const reason = `Version ${skill.version} is kept out of resolve, for the lint found ${rules} in it. POST /api/v1/skills/${skill.id}/answer takes your answer.`
  await notify(ctx, trx, skill.owner.id, { action: 'skill.quarantined', skill, reason })
}
