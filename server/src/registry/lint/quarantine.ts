import type { Config } from '../../config/config.ts'
import type { Finding } from './judge.ts'

/** What was last answered to what keeps a version out of resolve. Null: nothing. */
export type AnswerState = 'answered' | 'released' | 'held' | null

/** What the quarantine is asked about. */
interface Judged {
  readonly warnings: readonly Finding[]
  readonly answer: AnswerState
}

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

/** Whether resolve leaves a version out: the operator's word is final, whichever it is. */
export function isHeld(settings: Settings, judged: Judged): boolean {
  if (judged.answer === 'released') return false
  if (judged.answer === 'answered' && settings.quarantine.releasedBy === 'publisher') return false
  return quarantinedRules(settings, judged).length > 0
}
