import type { Config } from '../config/config.ts'
import type { Verdict } from '../moderation/lint/types.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'

/** Fields that decide whether a version is quarantined. */
type Reviewed = Pick<SkillRecord, 'warnings' | 'state' | 'stateBy'>

type Settings = Pick<Config, 'quarantine'>

/** Returns the distinct rules of a version's findings that the operator quarantines. */
export function quarantinedRules(
  { quarantine }: Settings,
  { warnings }: Pick<Reviewed, 'warnings'>,
): string[] {
  const { rules } = quarantine
  if (rules.size === 0 || warnings.length === 0) return []
  return [...new Set(warnings.map(({ rule }) => rule))].filter((rule) => rules.has(rule))
}

/** Returns whether resolve leaves a version out. An answer or decision overrides the rules. */
export function isHeld(settings: Settings, version: Reviewed): boolean {
  if (version.state === 'visible' && version.stateBy !== null) return false
  return quarantinedRules(settings, version).length > 0
}

const severity = { clean: 1, notice: 2, warning: 3, any: 3 }

/** Returns whether a skill's verdict is at most this serious. */
export const isVerdictAtMost = (skill: SkillRecord, verdict: Verdict | 'any' = 'any'): boolean =>
  severity[skill.verdict] <= severity[verdict]
