import { counted, fitted, paint } from '../../contract/terminal-text.ts'
import type { LintWarning } from '../../generated/types.ts'
import { json, printable, type Terminal } from '../command.ts'
import type { InstalledSkill, install } from '../install/installer.ts'

/** Formats untrusted text as indented lines, of which at most two are printed if `columns` is set. */
export function paragraph(text: string, indent: number, columns?: number): string {
  const line = printable(text).trim().replace(/ +/g, ' ')
  const most = columns === undefined ? Number.POSITIVE_INFINITY : 2 * (columns - indent) - 12
  return `${' '.repeat(indent)}${fitted(line, most)}\n`
}

/** Returns `owner/repo/skill` of a URL. */
export const addressOf = (fetchUrl: string) =>
  new URL(fetchUrl).pathname.split('/').slice(-3).join('/')

/** Returns the distinct rules of findings. */
export const rulesOf = (warnings: readonly { rule: string }[]) => [
  ...new Set(warnings.map(({ rule }) => rule)),
]

/** Lint result of a skill. */
interface LintResult {
  readonly address: string
  readonly verdict: string
  readonly rules: readonly string[]
}

/**
 * Asks the user about a skill with a warning, unless `isAllowed`. Throws if the user does not
 * confirm.
 */
export async function confirmVerdict(
  terminal: Terminal,
  result: LintResult,
  isAllowed: boolean,
): Promise<void> {
  warnVerdict(terminal, result)
  const { address, verdict } = result
  if (verdict !== 'warning' || isAllowed) return
  const name = printable(address)
  if (await terminal.ask?.(`Install ${name} anyway?`)) return
  throw new Error(
    `${name} may be harmful and was not installed. To install it anyway, use --allow-warnings.`,
  )
}

/** Prints the lint result of a skill to stderr, unless it is clean. */
export function warnVerdict(terminal: Terminal, { address, verdict, rules }: LintResult) {
  if (verdict === 'clean') return
  terminal.warn(
    `${paint(verdict)}: the lint found ${printable(rules.join(', '))} in ${printable(address)}\n`,
  )
}

/** Prints the findings of the lint, each with its file and line. */
export function printFindings(print: Terminal['print'], findings: readonly LintWarning[]) {
  for (const { rule, level, field, file, line, message } of findings) {
    const path = file ?? (line === null && field !== 'readme' ? field : 'SKILL.md')
    const place = printable(path) + (line === null ? '' : `:${line}`)
    print(`${place}: ${paint(level)}: ${printable(message)} (${printable(rule)})\n`)
  }
}

/** Prints to stderr which local content was replaced. */
export function warnReplaced(terminal: Terminal, replaced: readonly string[]) {
  if (replaced.length > 0) terminal.warn(`Replaced:\n  ${replaced.join('\n  ')}\n`)
}

export function installedLine({
  address,
  version,
  folders,
  files,
  changed,
}: InstalledSkill): string {
  const done = changed ? 'Installed' : 'Already installed:'
  const what = `${printable(address)}, version ${version} (${counted(files, 'file', 'files')})`
  return `${done} ${what}: ${folders.map(printable).join(', ')}\n`
}

/** Prints the result of an installation, and to stderr which local content was replaced. */
export function printInstalled(
  terminal: Terminal,
  { installed, replaced }: Awaited<ReturnType<typeof install>>,
  asJson: boolean,
) {
  warnReplaced(terminal, replaced)
  if (asJson) terminal.print(json(installed))
  else for (const skill of installed) terminal.print(installedLine(skill))
}
