import { json, plain, type Terminal } from '../command.ts'
import type { Installation, InstalledSkill } from '../install/installer.ts'

/** `1 star`, `2 stars`, `no stars`. */
export const counted = (count: number, one: string, many: string) =>
  `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`

/** Address of a skill, as people write it. */
export const addressOf = (fetchUrl: string) =>
  new URL(fetchUrl).pathname.split('/').slice(-3).join('/')

/** The rules of findings, each once. */
export const rulesOf = (warnings: readonly { rule: string }[]) => [
  ...new Set(warnings.map(({ rule }) => rule)),
]

/** What the lint says of a skill that is to be installed. */
interface Judged {
  readonly address: string
  readonly verdict: string
  readonly rules: readonly string[]
}

/** Installs a skill with a warning only if the user says so: with `--allow-warnings`, or when asked. Throws otherwise. */
export async function acceptVerdict(
  terminal: Terminal,
  { address, verdict, rules }: Judged,
  isAllowed: boolean,
): Promise<void> {
  warnOf(terminal, address, verdict, rules)
  if (verdict !== 'warning' || isAllowed) return
  const shown = plain(address)
  if (await terminal.ask?.(`Install ${shown} all the same?`)) return
  throw new Error(`${shown} may harm you and is not installed; --allow-warnings installs it.`)
}

/** Says on stderr what the lint found in a skill that is handed out. */
export function warnOf(
  terminal: Terminal,
  address: string,
  verdict: string,
  rules: readonly string[],
) {
  if (verdict === 'clean') return
  terminal.warn(`${verdict}: the lint found ${plain(rules.join(', '))} in ${plain(address)}\n`)
}

/** Says on stderr what was replaced that the program had not installed. */
export function warnReplaced(terminal: Terminal, replaced: readonly string[]) {
  if (replaced.length > 0) terminal.warn(`Replaced:\n  ${replaced.join('\n  ')}\n`)
}

/** What people are told of an installation. */
export function sentenceOf({ address, version, folders, files, changed }: InstalledSkill): string {
  const done = changed ? 'Installed' : 'Already installed:'
  const what = `${plain(address)}, version ${version} (${counted(files, 'file', 'files')})`
  return `${done} ${what}: ${folders.map(plain).join(', ')}\n`
}

/** Says what was installed, as JSON or in sentences, and on stderr what was replaced. */
export function sayInstalled(
  terminal: Terminal,
  { installed, replaced }: Installation,
  asJson: boolean,
) {
  warnReplaced(terminal, replaced)
  if (asJson) terminal.print(json(installed))
  else for (const skill of installed) terminal.print(sentenceOf(skill))
}
