import { fetchedCodeRules, findFetchedCode } from './code/fetched-code.ts'
import { findPipeToShell, pipeToShellRules } from './code/pipe-to-shell.ts'
import { findRemotePackages, remotePackageRules } from './code/remote-package.ts'
import { exfiltrationRules, findExfiltration } from './exfiltration.ts'
import { checkFields, fieldRules } from './fields.ts'
import { binaryRules, checkBinary, checkExecutable } from './files/binaries.ts'
import { isProse } from './files/kinds.ts'
import { checkMissing, missingRules } from './files/missing.ts'
import { partsOf } from './files/parts.ts'
import { mentions, unusedRules } from './files/unused.ts'
import { checkFrontmatter, frontmatterRules } from './frontmatter.ts'
import { findHiddenText, hiddenTextRules } from './hidden-text.ts'
import { findInjection, injectionRules } from './injection.ts'
import { intricateRules, isTooIntricate } from './intricate.ts'
import { checkKeywordStuffing, keywordStuffingRules } from './keyword-stuffing.ts'
import { collector, type FoundInText } from './report/collector.ts'
import type {
  Check,
  LintEntry,
  LintField,
  LintFile,
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
export type {
  LintEntry,
  LintField,
  LintFile,
  LintLevel,
  LintRule,
  LintSkill,
  LintWarning,
} from './report/types.ts'

/** Raise it when a rule finds more, less or at another level: skills of older lints are linted again. */
export const lintVersion = 5

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
  ...binaryRules,
  ...missingRules,
  ...unusedRules,
  ...frontmatterRules,
  ...fieldRules,
  ...sizeRules,
  ...keywordStuffingRules,
]

const checks: readonly Check[] = [checkFrontmatter, checkFields, checkSize, checkKeywordStuffing]

/** Looked for in every field and file, as a reader sees it. */
const textChecks: readonly TextCheck[] = [findInjection]

/** Looked for where a page is made of a text, which may hide some of it. */
const pageChecks: readonly TextCheck[] = [findUnseen]

/** Looked for everywhere, too, where there are few enough commands. */
const commandChecks: readonly TextCheck[] = [
  findPipeToShell,
  findFetchedCode,
  findExfiltration,
  findRemotePackages,
]

/**
 * Tells what in a skill may harm or mislead its readers. Advisory: nothing is refused for a warning. At
 * most five warnings per rule and fifty in all, the gravest first; takes time linear in the texts.
 */
export function lintSkill(skill: LintSkill, files: readonly LintFile[] = []): LintWarning[] {
  const lint = lintInSteps(skill, files)
  for (const step of lint.readme()) step()
  for (const file of files) for (const step of lint.file(file)) step()
  return lint.warnings()
}

/** What was found before in a text, as code or as a page: the same bytes need be checked once. */
export interface KnownFindings {
  get(isCode: boolean): FoundInText | undefined
  set(isCode: boolean, found: FoundInText): void
}

/** A lint of a skill whose files are read one at a time. */
export interface LintInSteps {
  /** Steps of some ten milliseconds at most that check the readme and the record. */
  readme(known?: KnownFindings): Iterable<() => void>
  /** The same for a file; each file is given once. */
  file(file: LintFile, known?: KnownFindings): Iterable<() => void>
  /** What was found, the gravest first. Ends the lint. */
  warnings(): LintWarning[]
}

/** `lintSkill` for a caller that reads files as it goes and lets others work in between. */
export function lintInSteps(skill: LintSkill, entries: readonly LintEntry[]): LintInSteps {
  const { report, begin, add, warnings } = collector(rules)
  const paths = entries.map(({ path }) => path)
  const named = mentions(paths)
  return {
    *readme(known) {
      const { readme } = skill
      yield* checkParts(null, readme, { isCode: false, known })
      yield () => {
        begin(null, readme)
        checkText('description', skill.description, report)
        checkText('name', skill.name, report)
        for (const tag of skill.tags) checkText('tags', tag, report)
        for (const check of checks) check(skill, report)
      }
      yield () => {
        for (const path of checkMissing(readme, paths, report)) named.mark(path)
      }
    },
    *file(file, known) {
      const { path, text } = file
      begin(path, '')
      checkExecutable(file, report)
      if (text === null) checkBinary(file, report)
      else yield* checkParts(path, text, { isCode: !isProse(path, text), known })
    },
    warnings() {
      named.check((path) => {
        begin(path, '')
        return report
      })
      return warnings()
    },
  }

  /** Checks a text in parts: that of a file, or null for the readme. */
  function* checkParts(
    path: string | null,
    text: string,
    { isCode, known }: { isCode: boolean; known: KnownFindings | undefined },
  ): Generator<() => void> {
    const before = known?.get(isCode)
    const own = collector(rules)
    for (const part of partsOf(text)) {
      yield () => {
        named.read(path, part.text)
        if (before) return
        own.begin(path, part.text, part.firstLine)
        checkText('readme', part.text, own.report, isCode)
      }
    }
    const found = before ?? own.found()
    if (!before) known?.set(isCode, found)
    add(found, path)
  }
}

function checkText(field: LintField, original: string, report: Report, isCode = false): void {
  const plain = plainText(original)
  const text = { ...plain, field, original, isCode }
  const note: TextReport = (rule, message, at) => {
    const offset = () => plain.originalOffset(at)
    report(rule, field, message, field === 'readme' ? offset : undefined)
  }
  for (const find of textChecks) find(text, note)
  if (!isCode) for (const find of pageChecks) find(text, note)
  if (isTooIntricate(plain.text)) note('too-intricate', 'holds too many commands to be checked', 0)
  else for (const find of commandChecks) find(text, note)
  checkSecrets(original, field, report)
  findHiddenText(original, field, report)
}
