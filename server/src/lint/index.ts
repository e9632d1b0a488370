import { findSecrets } from '@skillpass/contract'
import { fencesIn } from '../text/fences.ts'
import { readParts, type TextPart } from '../text/reading.ts'
import { commandPatterns } from './commands.ts'
import { findDownloads } from './downloads.ts'
import { checkFields, checkFrontmatter, checkMissingFiles } from './fields.ts'
import { checkBinary, isProse, textOf } from './files.ts'
import {
  type CheckedText,
  createFindings,
  type LintFile,
  type LintSkill,
  reportIntricate,
} from './findings.ts'
import { findHiddenPassages, findHiddenText } from './hidden.ts'
import { findRemoteInstructions, findSendingInstructions, wordPatterns } from './instructions.ts'
import { findPatterns } from './patterns.ts'
import { findPipeToShell } from './pipe-to-shell.ts'
import { anyOf, changedRanges, type LintText, searchable } from './text.ts'

/** Receives each text that the lint reads, so that it is read once. */
export interface TextReader {
  begin(text: string): void
  read(part: TextPart): void
}

/**
 * Reports what may harm or mislead a skill's readers: at most five findings per rule and fifty in
 * all, most severe first. The findings are advisory. The time is linear in the texts. Runs in steps
 * of a few milliseconds, for callers that load one file at a time.
 */
export function lintInSteps(skill: LintSkill, files: readonly Pick<LintFile, 'path'>[]) {
  const { reportIn, findings } = createFindings()
  const { readme } = skill
  let attempts = 0
  return {
    /** Checks the readme and the skill's fields. Hands the readme on as it is read. */
    *readme(readers: readonly TextReader[] = []): Generator<void, void> {
      const fences = fencesIn(readme)
      for (const reader of readers) reader.begin(readme)
      yield* checkParts({ file: null }, readParts(readme, false, fences), readers)
      yield* checkParts({ file: null, isFields: true }, readParts(fieldsText(skill)))
      const report = reportIn({ file: null, text: readme, firstLine: 1 })
      checkFrontmatter(readme, report)
      checkFields(skill, report)
      const paths = files.map(({ path }) => path)
      checkMissingFiles(readme, fences, paths, report)
    },
    /** Checks a file, and hands its text on. Call it once per file. */
    *file({ path, bytes }: LintFile, readers: readonly TextReader[] = []): Generator<void, void> {
      const text = textOf(path, bytes)
      if (text === undefined) {
        checkBinary(path, bytes, reportIn({ file: path, text: '', firstLine: 1 }))
        return
      }
      for (const reader of readers) reader.begin(text)
      yield* checkParts({ file: path }, readParts(text, !isProse(path, text)), readers)
    },
    /** Returns the findings, most severe first. Call it last. */
    findings,
  }

  function* checkParts(
    checked: Pick<CheckedText, 'file' | 'isFields'>,
    parts: Iterable<TextPart>,
    readers: readonly TextReader[] = [],
  ) {
    for (const part of parts) {
      const { text, firstLine, plain, code, reading } = part
      const written = { ...checked, text, firstLine }
      yield checkText({ ...written, text: plain }, searchable(plain, code))
      if (reading) {
        const read = { ...written, ...reading, isSecond: true }
        const changed = changedRanges(reading)
        if (changed.length > 0)
          yield checkText(read, searchable(reading.text, reading.code, changed))
        findHiddenPassages(reading.hidden, reportIn(read))
      }
      const report = reportIn(written)
      for (const { index, kind, secret } of findSecrets(text)) {
        report('secret', `looks like ${kind}: ${secret.slice(0, 4)}${'*'.repeat(8)}`, index)
      }
      findHiddenText(text, report)
      for (const reader of readers) reader.read(part)
    }
  }

  function checkText(checked: CheckedText, text: LintText): void {
    const report = reportIn(checked)
    attempts += text.attempts
    const isIntricate = attempts > maxAttempts || text.places(commands).length > maxCommands
    if (isIntricate) reportIntricate(report, 0)
    if (attempts > maxAttempts) return
    findPatterns(wordPatterns, text, report)
    findRemoteInstructions(text, report)
    if (isIntricate) return
    findPipeToShell(text, report)
    findDownloads(text, report)
    findPatterns(commandPatterns, text, report)
    findSendingInstructions(text, report)
  }
}

const fieldsText = ({ name, description, tags }: LintSkill): string =>
  [name, description, ...tags].map((field) => field.replace(/\s+/g, ' ')).join('\n')

/** Words at which the command checks start. Their time grows with the number of occurrences. */
const commands = anyOf(
  'curl|wget|nc |ncat |netcat |eval|exec(|iwr|irm|invoke-|fetch|request.|requests.|urlopen|axios|.ssh|.aws|id_rsa|.env',
)
const maxCommands = 1500
/** Maximum `attempts` for all texts of a version. Dense documentation of 3 MiB has as many. */
const maxAttempts = 200_000
