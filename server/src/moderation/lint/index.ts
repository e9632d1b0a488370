import { findSecrets } from '@skillpass/contract'
import { commandPatterns } from './commands.ts'
import { findDownloads } from './downloads.ts'
import { checkBinary, isProse, partsOf } from './files.ts'
import { createFindings, type Place } from './findings.ts'
import { checkFrontmatter } from './frontmatter.ts'
import { findHiddenText, holdsHidden, unusualIn } from './hidden-text.ts'
import { wordPatterns } from './injections.ts'
import { checkMissingFiles } from './missing-files.ts'
import { findRemoteInstructions, findSendingOrders } from './orders.ts'
import { findPatterns } from './patterns.ts'
import { findPipeToShell } from './pipe-to-shell.ts'
import { plainText } from './plain-text.ts'
import { checkRecord } from './record.ts'
import { searchable } from './text.ts'
import type { LintEntry, LintFile, LintSkill, LintWarning, Report, TextReport } from './types.ts'
import { findUnseen } from './unseen.ts'
import { anyOf } from './words.ts'

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

/** `lintSkill` for a caller that reads files as it goes and answers others between two steps of some milliseconds. */
export function lintInSteps(skill: LintSkill, entries: readonly LintEntry[]) {
  const { note, warnings } = createFindings()
  const { readme } = skill
  const record = { file: null, text: readme, firstLine: 1 }
  const report: Report = (rule, field, message, offset) =>
    note({ ...record, field }, rule, message, offset)
  return {
    /** Checks the readme and the record. */
    *readme(): Generator<() => void> {
      yield* parts(null, readme, false)
      yield () => {
        checkText({ ...record, field: 'record', text: recordText(skill) }, false)
        checkFrontmatter(skill, report)
        checkRecord(skill, report)
        const paths = entries.map(({ path }) => path)
        checkMissingFiles(readme, paths, report)
      }
    },
    /** Checks a file; each file is given once. */
    *file(entry: LintFile): Generator<() => void> {
      const { path, text, executable } = entry
      const file: Place = { file: path, field: 'readme', text: '', firstLine: 1 }
      if (executable) note(file, 'executable-file', 'marked as executable')
      if (text !== null) yield* parts(path, text, !isProse(path, text))
      else checkBinary(entry, (rule, message) => note(file, rule, message))
    },
    /** What was found, the gravest first. Ends the lint. */
    warnings,
  }

  /** Checks the parts of a text. */
  function* parts(file: string | null, text: string, isCode: boolean): Generator<() => void> {
    for (const part of partsOf(text)) {
      yield () => checkText({ file, field: 'readme', ...part }, isCode)
    }
  }

  function checkText(place: Place, isCode: boolean): void {
    const unusual = unusualIn(place.text)
    const text = searchable(plainText(place.text, unusual), isCode)
    const plain = { ...place, text: text.text }
    const found: TextReport = (rule, message, at) => note(plain, rule, message, at)
    const foundInOriginal: TextReport = (rule, message, at) => note(place, rule, message, at)
    findPatterns(wordPatterns, text, found)
    findRemoteInstructions(text, found)
    if (!isCode) findUnseen(text, found)
    if (text.places(commands).length > mostCommands) {
      found('too-intricate', 'holds too many commands to be checked', 0)
    } else {
      findPipeToShell(text, found)
      findDownloads(text, found)
      findPatterns(commandPatterns, text, found)
      findSendingOrders(text, found)
    }
    for (const { index, kind, secret } of findSecrets(place.text)) {
      foundInOriginal('secret', `looks like ${kind}: ${secret.slice(0, 4)}${'*'.repeat(8)}`, index)
    }
    if (holdsHidden(unusual)) findHiddenText(place.text, foundInOriginal)
  }
}

/** The fields of a record, a line each. */
const recordText = ({ name, description, tags }: LintSkill): string =>
  [name, description, ...tags].map((field) => field.replace(/\s+/g, ' ')).join('\n')

/** Words that the checks of commands begin at; their time grows with how often these occur. */
const commands = anyOf(
  'curl|wget|nc |ncat |netcat |eval|exec(|iwr|irm|invoke-|fetch|request.|requests.|urlopen|axios|.ssh|.aws|id_rsa|.env',
)
const mostCommands = 1500
