import type { Config } from '../../config/config.ts'
import { isHeld, quarantinedRules } from '../../discovery/quarantine.ts'
import { isoTime } from '../../runtime/time.ts'
import type { AnsweredSkill } from '../quarantine.ts'

/** Serializes why a version is or was kept out of resolve. Returns null if no rule applies. */
export function serializeQuarantine(
  { config }: { config: Pick<Config, 'quarantine'> },
  { skill, answers }: AnsweredSkill,
) {
  const rules = quarantinedRules(config, skill)
  if (rules.length === 0) return null
  const isHeldByOperator = skill.state === 'held' && skill.stateBy === 'operator'
  return {
    held: isHeld(config, skill),
    rules,
    releasedBy: isHeldByOperator ? ('operator' as const) : ('publisher' as const),
    answers: answers.map(({ answeredBy: by, decision, text, createdAt }) => ({
      by,
      decision,
      text,
      createdAt: isoTime(createdAt),
    })),
  }
}
