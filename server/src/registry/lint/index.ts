import { fetchedCodeRules, findFetchedCode } from './code/fetched-code.ts'
import { findPipeToShell, pipeToShellRules } from './code/pipe-to-shell.ts'
import { findRemotePackages, remotePackageRules } from './code/remote-package.ts'
import { exfiltrationRules, findExfiltration } from './exfiltration.ts'
import { checkFields, fieldRules } from './fields.ts'
import { checkFrontmatter, frontmatterRules } from './frontmatter.ts'
import { checkHiddenText, hiddenTextRules } from './hidden-text.ts'
import { findInjection, injectionRules } from './injection.ts'
import { intricateRules, isTooIntricate } from './intricate.ts'
import { checkKeywordStuffing, keywordStuffingRules } from './keyword-stuffing.ts'
import { collector } from './report/collector.ts'
import type {
  Check,
  LintField,
  LintRule,
  LintSkill,
  LintWarning,
  Report,
  TextCheck,
  TextReport,
} from './report/types.ts'
import { checkSecrets, secretRules } from './secrets.ts'
import { checkSize, sizeRules } from './size.ts'
import { plainText } from './text/plain-text.ts'
import { findUnseen, unseenRules } from './unseen.ts'

export { hiddenRuns } from './hidden-text.ts'
export type { LintField, LintLevel, LintRule, LintSkill, LintWarning } from './report/types.ts'

/** Raise it when a rule finds more, less or at another level: skills of older lints are linted again. */
export const lintVersion = 3

/** Every rule that a warning may name; what endangers readers stands first. */
export const rules: readonly LintRule[] = [
  ...pipeToShellRules,
  ...fetchedCodeRules,
  ...exfiltrationRules,
  ...intricateRules,
  ...injectionRules,
  ...unseenRules,
  ...hiddenTextRules,
  ...secretRules,
  ...remotePackageRules,
  ...frontmatterRules,
  ...fieldRules,
  ...sizeRules,
  ...keywordStuffingRules,
]

const checks: readonly Check[] = [
  checkSecrets,
  checkHiddenText,
  checkFrontmatter,
  checkFields,
  checkSize,
  checkKeywordStuffing,
]

/** Looked for in every field, as a reader sees it. */
const textChecks: readonly TextCheck[] = [findInjection, findUnseen]

/** Looked for in every field, too, where there are few enough commands. */
const commandChecks: readonly TextCheck[] = [
  findPipeToShell,
  findFetchedCode,
  findExfiltration,
  findRemotePackages,
]

/**
 * Tells what in a skill may harm or mislead its readers. Advisory: nothing is refused for a warning. At
 * most five warnings per rule and fifty in all, the gravest first; takes time linear in the text.
 */
export function lintSkill(skill: LintSkill): LintWarning[] {
  const { report, warnings } = collector(skill.readme, rules)
  checkText('readme', skill.readme, report)
  checkText('description', skill.description, report)
  checkText('name', skill.name, report)
  for (const tag of skill.tags) checkText('tags', tag, report)
  for (const check of checks) check(skill, report)
  return warnings()
}

function checkText(field: LintField, original: string, report: Report): void {
  const plain = plainText(original)
  const text = { ...plain, field, original }
  const note: TextReport = (rule, message, at) => {
    const offset = () => plain.originalOffset(at)
    report(rule, field, message, field === 'readme' ? offset : undefined)
  }
  for (const find of textChecks) find(text, note)
  if (isTooIntricate(plain.text)) note('too-intricate', 'holds too many commands to be checked', 0)
  else for (const find of commandChecks) find(text, note)
}
