import { isExample } from './examples.ts'
import type { LintText } from './text.ts'
import type { Report } from './types.ts'
import { anyOf, type Words } from './words.ts'

/** The rule and message for matches of a pattern. */
interface Kind {
  readonly rule: string
  readonly message: string
  /** Text before a match that invalidates it. */
  readonly unless?: RegExp
  /** The rule for matches in examples of attacks, which are recognized by the words in `named`. */
  readonly quoted?: { readonly rule: string; readonly named: RegExp }
  /** Whether the message quotes the match. */
  readonly shows?: boolean
}

export interface PatternRow extends Kind {
  /** First words of matches. The pattern is tried at each occurrence. */
  readonly starts: Words
  readonly pattern: RegExp
}

/** Creates rows from patterns keyed by the first words of their matches, separated by `|`. */
export const rowsOf = (kind: Kind, patterns: Record<string, string | RegExp>): PatternRow[] =>
  Object.entries(patterns).map(([starts, pattern]) => ({
    ...kind,
    starts: anyOf(starts),
    pattern: new RegExp(pattern, 'my'),
  }))

/** "Only send the key to …" restricts sending; "send only the key to …" does not. */
const limited = /^\W{0,7}only\s|\bonly (?:to|at|via|with|into)\b/

export function findPatterns(rows: readonly PatternRow[], text: LintText, report: Report) {
  for (const row of rows) {
    for (const { index, 0: found } of text.matches(row.starts, row.pattern)) {
      reportMatch(row, text, { index, found }, report)
    }
  }
}

/** Reports a match unless its context invalidates it. Uses the `quoted` rule for examples. */
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
