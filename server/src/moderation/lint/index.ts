import { findSecrets } from '@skillpass/contract'
import { commandPatterns } from './commands.ts'
import { findDownloads } from './downloads.ts'
import { checkBinary, isProse, partsOf, textOf } from './files.ts'
import { createFindings, type Place, reportIntricate } from './findings.ts'
import { findHiddenPassages } from './hidden-passages.ts'
import { findHiddenText, holdsHidden, unusualIn } from './hidden-text.ts'
import { wordPatterns } from './injections.ts'
import { findRemoteInstructions, findSendingInstructions } from './instructions.ts'
import { checkMissingFiles } from './missing-files.ts'
import { findPatterns } from './patterns.ts'
import { findPipeToShell } from './pipe-to-shell.ts'
import { plainText } from './plain-text.ts'
import { checkFrontmatter, checkRecord } from './record.ts'
import { searchable } from './text.ts'
import type { LintFile, LintSkill, LintWarning } from './types.ts'
import { anyOf } from './words.ts'

/**
 * Reports what may harm or mislead a skill's readers: at most five findings per rule and fifty in
 * all, most severe first. The findings are advisory. The time is linear in the texts.
 */
export function lintSkill(skill: LintSkill, files: readonly LintFile[] = []): LintWarning[] {
  const lint = lintInSteps(skill, files)
  for (const steps of [lint.readme(), ...files.map(lint.file)]) for (const _ of steps);
  return lint.warnings()
}

/** Like `lintSkill`, in steps of a few milliseconds, for callers that load one file at a time. */
export function lintInSteps(skill: LintSkill, files: readonly Pick<LintFile, 'path'>[]) {
  const { reportIn, warnings } = createFindings()
  const { readme } = skill
  let attempts = 0
  return {
    /** Checks the readme and the skill's fields. */
    *readme(): Generator<void, void> {
      yield* checkParts(null, readme, false)
      checkText({ file: null, text: recordText(skill), firstLine: 1, isRecord: true }, false)
      const report = reportIn({ file: null, text: readme, firstLine: 1 })
      checkFrontmatter(readme, report)
      checkRecord(skill, report)
      const paths = files.map(({ path }) => path)
      checkMissingFiles(readme, paths, report)
    },
    /** Checks a file. Call it once per file. */
    *file({ path, bytes }: LintFile): Generator<void, void> {
      const report = reportIn({ file: path, text: '', firstLine: 1 })
      const text = textOf(bytes)
      if (text === undefined) checkBinary(path, bytes, report)
      else yield* checkParts(path, text, !isProse(path, text))
    },
    /** Returns the findings, most severe first. Call it last. */
    warnings,
  }

  function* checkParts(file: string | null, text: string, isCode: boolean): Generator<void, void> {
    for (const part of partsOf(text)) yield checkText({ file, ...part }, isCode)
  }

  function checkText(place: Place, isCode: boolean): void {
    const unusual = unusualIn(place.text)
    const text = searchable(plainText(place.text, unusual), isCode)
    const report = reportIn({ ...place, text: text.text })
    attempts += text.attempts
    if (attempts > maxAttempts) reportIntricate(report, 0)
    else {
      findPatterns(wordPatterns, text, report)
      findRemoteInstructions(text, report)
      if (!isCode) findHiddenPassages(text, report)
      if (text.places(commands).length > maxCommands) reportIntricate(report, 0)
      else {
        findPipeToShell(text, report)
        findDownloads(text, report)
        findPatterns(commandPatterns, text, report)
        findSendingInstructions(text, report)
      }
    }
    const reportOriginal = reportIn(place)
    for (const { index, kind, secret } of findSecrets(place.text)) {
      reportOriginal('secret', `looks like ${kind}: ${secret.slice(0, 4)}${'*'.repeat(8)}`, index)
    }
    if (holdsHidden(unusual)) findHiddenText(place.text, reportOriginal)
  }
}

const recordText = ({ name, description, tags }: LintSkill): string =>
  [name, description, ...tags].map((field) => field.replace(/\s+/g, ' ')).join('\n')

/** Words at which the command checks start. Their time grows with the number of occurrences. */
const commands = anyOf(
  'curl|wget|nc |ncat |netcat |eval|exec(|iwr|irm|invoke-|fetch|request.|requests.|urlopen|axios|.ssh|.aws|id_rsa|.env',
)
const maxCommands = 1500
/** Maximum `attempts` for all texts of a version. Dense documentation of 3 MiB has as many. */
const maxAttempts = 200_000
