import { guides, type RuleGuide } from './guides.ts'
import { rules } from './index.ts'
import { uncheckedRule } from './judge.ts'
import type { LintRule } from './report/types.ts'

/** A rule with all that its page tells. */
export type ExplainedRule = LintRule & RuleGuide

/** Every rule that a reader may meet, the gravest first. */
export const explainedRules: readonly ExplainedRule[] = [...rules, uncheckedRule].map((rule) => ({
  ...rule,
  ...guideOf(rule.id),
}))

function guideOf(id: string): RuleGuide {
  const guide = guides[id]
  if (!guide) throw new Error(`the rule ${id} has no guide`)
  return guide
}
