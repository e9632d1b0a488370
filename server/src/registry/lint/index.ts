import { checkFields, fieldRules } from './fields.ts'
import { checkFrontmatter, frontmatterRules } from './frontmatter.ts'
import { checkHiddenText, hiddenTextRules } from './hidden-text.ts'
import { checkPipeToShell, pipeToShellRules } from './pipe-to-shell.ts'
import { collector } from './report.ts'
import { checkSecrets, secretRules } from './secrets.ts'
import { checkSize, sizeRules } from './size.ts'
import type { Check, LintRule, LintSkill, LintWarning } from './types.ts'

export type { LintField, LintRule, LintSkill, LintWarning } from './types.ts'

/** Every rule that a warning may name; what endangers readers stands first. */
export const rules: readonly LintRule[] = [
  ...secretRules,
  ...hiddenTextRules,
  ...pipeToShellRules,
  ...frontmatterRules,
  ...fieldRules,
  ...sizeRules,
]

const checks: readonly Check[] = [
  checkSecrets,
  checkHiddenText,
  checkPipeToShell,
  checkFrontmatter,
  checkFields,
  checkSize,
]

/**
 * Tells the author of a skill what may harm or mislead its readers. Advisory: nothing is refused for
 * a warning. At most five warnings per rule and fifty in all; takes time linear in the text.
 */
export function lintSkill(skill: LintSkill): LintWarning[] {
  const { report, warnings } = collector(skill.readme)
  for (const check of checks) check(skill, report)
  return warnings()
}
