import { notify } from '../audit/notices.ts'
import type { Db } from '../db/open.ts'
import type { Config } from '../runtime/config/config.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { type AnswerRecord, listAnswers } from '../store/registry/answers.ts'
import type { SkillRecord, Verdict } from '../store/registry/skill-record.ts'

/** Fields that decide whether a version is quarantined. */
type Reviewed = Pick<SkillRecord, 'findings' | 'state' | 'stateBy'>

type Settings = Pick<Config, 'quarantineRules'>

/** Returns the distinct rules of a version's findings that the operator quarantines. */
export function quarantinedRules(
  { quarantineRules: rules }: Settings,
  { findings }: Pick<Reviewed, 'findings'>,
): string[] {
  if (rules.size === 0 || findings.length === 0) return []
  return [...new Set(findings.map(({ rule }) => rule))].filter((rule) => rules.has(rule))
}

/** Returns whether resolve leaves a version out. An answer or decision overrides the rules. */
export function isQuarantined(settings: Settings, version: Reviewed): boolean {
  if (version.state === 'visible' && version.stateBy !== null) return false
  return quarantinedRules(settings, version).length > 0
}

const severity = { clean: 1, notice: 2, warning: 3, any: 3 }

/** Returns whether a skill's verdict is at most this serious. */
export const isVerdictAtMost = (skill: SkillRecord, verdict: Verdict | 'any' = 'any'): boolean =>
  severity[skill.verdict] <= severity[verdict]

export interface AnsweredSkill {
  readonly skill: SkillRecord
  readonly answers: readonly AnswerRecord[]
}

/** Returns the answers to the findings that keep a skill's current version out of resolve. */
export const answersOf = async ({ config, db }: OperatorContext, skill: SkillRecord) =>
  quarantinedRules(config, skill).length === 0 ? [] : listAnswers(db.read, skill.id)

/** Notifies a publisher that its version is quarantined, in the transaction that stored it. */
export async function notifyQuarantined(
  ctx: OperatorContext,
  trx: Db,
  skill: SkillRecord,
): Promise<void> {
  if (skill.waiting !== undefined || !isQuarantined(ctx.config, skill)) return
  const rules = quarantinedRules(ctx.config, skill).join(', ')
  const reason = `Version ${skill.version} is kept out of resolve because the lint found ${rules}. Answer with POST /api/v1/skills/${skill.id}/answer.`
  await notify(ctx, trx, skill.owner.id, { action: 'skill.quarantined', skill, reason })
}
