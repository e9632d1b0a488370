import type { Config } from '../config/config.ts'
import type { Verdict } from '../moderation/lint/types.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'

/** What decides whether resolve leaves a version out. */
type Judged = Pick<SkillRecord, 'warnings' | 'state' | 'stateBy'>

type Settings = Pick<Config, 'quarantine'>

/** The rules of findings that the operator keeps out of resolve, each once. */
export function quarantinedRules(
  { quarantine }: Settings,
  { warnings }: Pick<Judged, 'warnings'>,
): string[] {
  const { rules } = quarantine
  if (rules.size === 0 || warnings.length === 0) return []
  return [...new Set(warnings.map(({ rule }) => rule))].filter((rule) => rules.has(rule))
}

/** Whether resolve leaves a version out: whoever answered for it last decides. */
export function isHeld(settings: Settings, judged: Judged): boolean {
  if (judged.state === 'visible' && judged.stateBy !== null) return false
  return quarantinedRules(settings, judged).length > 0
}

const gravity: Readonly<Record<Verdict, number>> = { clean: 1, notice: 2, warning: 3 }

/** Whether a skill's verdict is no graver. */
export const isAtMost = (skill: SkillRecord, verdict: Verdict): boolean =>
  gravity[skill.verdict] <= gravity[verdict]
