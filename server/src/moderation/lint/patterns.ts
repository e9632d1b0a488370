import { isExample } from './quoted.ts'
import type { LintText } from './text.ts'
import type { Report } from './types.ts'
import { anyOf, type Words } from './words.ts'

/** What a match of some patterns means. */
interface Kind {
  readonly rule: string
  readonly message: string
  /** The text before a match that is none. */
  readonly unless?: RegExp
  /** The rule of a match that is shown as an example of an attack, by words that name one. */
  readonly quoted?: { readonly rule: string; readonly named: RegExp }
  /** Whether the message shows the match. */
  readonly shows?: boolean
}

export interface PatternRow extends Kind {
  /** Words that a match begins with: the pattern is tried at each. */
  readonly starts: Words
  readonly pattern: RegExp
}

/** Rows of patterns by the words that their matches begin with, separated by `|`. */
export const rowsOf = (kind: Kind, patterns: Record<string, string | RegExp>): PatternRow[] =>
  Object.entries(patterns).map(([starts, pattern]) => ({
    ...kind,
    starts: anyOf(starts),
    pattern: new RegExp(pattern, 'my'),
  }))

/** "Only send the key to …" keeps it from others; "send only the key to …" does not. */
const limited = /^\W{0,7}only\s|\bonly (?:to|at|via|with|into)\b/
/** No text warns of more attacks by quoting them; later passages count as unquoted. */
const mostQuotations = 100

/** Reports what the patterns of some rows match. */
export function findPatterns(rows: readonly PatternRow[], text: LintText, report: Report) {
  for (const row of rows) {
    const judge = judgeOf(row, text, report)
    for (const { index, 0: found } of text.matches(row.starts, row.pattern)) judge(index, found)
  }
}

/** Reports a match, unless the text around it takes it back, as an example if it is one. */
export function judgeOf(kind: Kind, text: LintText, report: Report) {
  let asked = 0
  return (index: number, found: string): void => {
    if (kind.unless) {
      if (kind.unless.test(text.text.slice(Math.max(0, index - 80), index))) return
      if (limited.test(text.text.slice(Math.max(0, index - 8), index + found.length))) return
    }
    const { quoted, message, shows } = kind
    asked += 1
    const isQuoted =
      asked <= mostQuotations &&
      quoted &&
      isExample(text, index, index + found.length, quoted.named)
    const { rule } = isQuoted ? quoted : kind
    report(rule, shows ? `${message}: ${JSON.stringify(found.slice(0, 80))}` : message, index)
  }
}
