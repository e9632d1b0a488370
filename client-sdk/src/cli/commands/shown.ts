import { plain, type Terminal } from '../command.ts'

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
