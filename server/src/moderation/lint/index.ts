import { findSecrets } from '@skillpass/contract'
import { findDownloads } from './downloads.ts'
import { checkBinary, isProse, partsOf } from './files.ts'
import { createFindings, type Findings, type Place } from './findings.ts'
import { checkFrontmatter } from './frontmatter.ts'
import { findHiddenText } from './hidden-text.ts'
import { checkMissingFiles } from './missing-files.ts'
import { findRemoteInstructions, findSendingOrders } from './orders.ts'
import { commandPatterns, findPatterns, wordPatterns } from './patterns.ts'
import { findPipeToShell } from './pipe-to-shell.ts'
import { checkRecord } from './record.ts'
import { eachMatch, readText } from './text.ts'
import type { LintEntry, LintFile, LintSkill, LintWarning, Report, TextReport } from './types.ts'
import { findUnseen } from './unseen.ts'

/** Raise it when a rule finds more, less or at another level: skills of older lints are linted again. */
export const lintVersion = 7

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

/** A lint of a skill whose files are read one at a time, in steps of some milliseconds. */
export interface LintInSteps {
  /** Checks the readme and the record. */
  readme(): Iterable<() => void>
  /** Checks a file; each file is given once. */
  file(file: LintFile): Iterable<() => void>
  /** What was found, the gravest first. Ends the lint. */
  warnings(): LintWarning[]
}

/** `lintSkill` for a caller that reads files as it goes and answers others between two steps. */
export function lintInSteps(skill: LintSkill, entries: readonly LintEntry[]): LintInSteps {
  const findings = createFindings()
  const { readme, description, name, tags } = skill
  const record = { file: null, text: readme, firstLine: 1 }
  const report: Report = (rule, field, message, offset) =>
    findings.note({ ...record, field }, rule, message, offset)
  return {
    *readme() {
      yield* parts(null, readme, false)
      yield () => {
        checkText({ ...record, field: 'description', text: description }, false, findings)
        checkText({ ...record, field: 'name', text: name }, false, findings)
        for (const tag of tags) {
          checkText({ ...record, field: 'tags', text: tag }, false, findings)
        }
        checkFrontmatter(skill, report)
        checkRecord(skill, report)
        checkMissingFiles(
          readme,
          entries.map(({ path }) => path),
          report,
        )
      }
    },
    *file(entry) {
      const { path, text, executable } = entry
      const file: Place = { file: path, field: 'readme', text: '', firstLine: 1 }
      if (executable) findings.note(file, 'executable-file', 'marked as executable')
      if (text !== null) yield* parts(path, text, !isProse(path, text))
      else checkBinary(entry, (rule, message) => findings.note(file, rule, message))
    },
    warnings: findings.warnings,
  }

  /** Checks the parts of a text. */
  function* parts(file: string | null, text: string, isCode: boolean): Generator<() => void> {
    for (const part of partsOf(text)) {
      yield () => checkText({ file, field: 'readme', ...part }, isCode, findings)
    }
  }
}

function checkText(place: Place, isCode: boolean, findings: Findings): void {
  const { field, text: original } = place
  const text = readText(field, original, isCode)
  const plain = { ...place, text: text.text }
  const report: TextReport = (rule, message, at) => findings.note(plain, rule, message, at)
  const reportOriginal: TextReport = (rule, message, at) => findings.note(place, rule, message, at)
  findPatterns(wordPatterns, text, report)
  findRemoteInstructions(text, report)
  if (!isCode) findUnseen(text, report)
  if (isTooIntricate(text.text)) {
    report('too-intricate', 'holds too many commands to be checked', 0)
  } else {
    findPipeToShell(text, report)
    findDownloads(text, report)
    findPatterns(commandPatterns, text, report)
    findSendingOrders(text, report)
  }
  for (const { index, kind, secret } of findSecrets(original)) {
    reportOriginal('secret', `looks like ${kind}: ${secret.slice(0, 4)}${'*'.repeat(8)}`, index)
  }
  if (text.mayHide) findHiddenText(original, reportOriginal)
}

/** Words that the checks of commands begin at; their time grows with how often these occur. */
const beginning =
  /curl|wget|\b(?:nc|ncat|netcat)\s|\beval\b|\bexec\(|\biwr|\birm|invoke-|fetch|requests?\.|urlopen|axios|\.ssh|\.aws|id_rsa|\.env\b|=\s?["'`$(]{1,3}(?:curl|echo)/g
const mostCommands = 1500

/** Whether a text has more commands than the checks have time for. */
function isTooIntricate(text: string): boolean {
  if (text.length < 4 * mostCommands) return false
  let count = 0
  eachMatch(
    beginning,
    text,
    () => {
      count += 1
    },
    mostCommands,
  )
  return count === mostCommands
}
