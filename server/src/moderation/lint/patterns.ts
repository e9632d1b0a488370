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

/** Reports what the patterns of some rows match. */
export function findPatterns(rows: readonly PatternRow[], text: LintText, report: Report) {
  for (const row of rows) {
    for (const { index, 0: found } of text.matches(row.starts, row.pattern)) {
      reportMatch(row, text, { index, found }, report)
    }
  }
}

/** Reports a match, unless the text around it takes it back, as an example if it is one. */
export function reportMatch(
  kind: Kind,
  text: LintText,
  { index, found }: { index: number; found: string },
  report: Report,
): void {
  const { quoted, unless, message, shows } = kind
  const end = index + found.length
  if (unless?.test(text.text.slice(Math.max(0, index - 80), index))) return
  if (unless && limited.test(text.text.slice(Math.max(0, index - 8), end))) return
  const { rule } = quoted && isExample(text, index, end, quoted.named) ? quoted : kind
  report(rule, shows ? `${message}: ${JSON.stringify(found.slice(0, 80))}` : message, index)
}
