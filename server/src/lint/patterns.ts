import { withoutMarks } from '../text/letters.ts'
import type { Report } from './findings.ts'
import { anyOf, type LintText, lineAfter, lineBefore, type Words } from './text.ts'

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
    // Letters of the text have no accents either.
    starts: anyOf(starts.replace(/[\p{L}\p{M}]+/gu, withoutMarks)),
    pattern: new RegExp(
      typeof pattern === 'string' ? pattern.replace(/[\p{L}\p{M}]+/gu, withoutMarks) : pattern,
      'my',
    ),
  }))

/** "Only send the key to …" restricts sending; "send only the key to …" does not. */
const limited = /^[\s\S]{0,3}\bonly\s|\bonly (?:to|at|via|with|into)\b/

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

/** Characters around a passage, to find words that name an attack and instructions. */
const contextBefore = 600
const near = 300

/** Instructions to follow a passage, such as "Follow it" or "Now run:". */
const order = new RegExp(
  [
    '\\b(?:follow|obey|run|execute|perform|carry out|apply)\\b\\s(?:exactly\\s|just\\s|all\\s|of\\s){0,2}(?:the (?:above|below|quoted|following|command|line|step|instruction)|this|that|it|them|so|what|above|below)\\b',
    '\\bdo (?:so|this|that|it|as|what (?:it|they))\\b',
    '\\b(?:you|agents?|assistants?|models?|claude)\\s(?:must|should|shall|have to|need to|are to)\\s(?!(?:not|never|refuse|reject|ignore|block|report|flag|treat|stop|detect)\\b)',
    '\\b(?:treat|take|read)\\s(?:it|this|that|them)\\sas\\s(?:an?\\s|your\\s)?(?:real\\s)?(?:instruction|order|command|task)',
    '(?:^|[.\\n])[\\s>*_#\\d)-]{0,20}(?:(?:now|then|next|first)[,:]?\\s)?(?:run|execute|send|upload|use|do|call)\\b[^.\\n]{0,40}:\\s{0,4}`{0,4}\\w{0,12}\\s{0,4}$',
  ].join('|'),
  'g',
)
const refused =
  /(?:\b(?:never|not|cannot|without|nor|refuses? to|instead of|rather than)|n['’]t)(?:\s(?!fail|forget|hesitate|omit|skip|neglect|miss|only)\w{1,16}){0,2}\s$/
const reported =
  /\b(?:asks?|asking|tells?|telling|tr(?:y|ies|ying)|attempts?|claims?|orders?|instructs?)\b[^.!?\n]{0,40}$/
const quotation = /["`“„«「『‘][^"`”»」』’\n]*$|(?<=^|[\s(])'[^'\n]*$/

/**
 * Returns whether a passage is an example of an attack: it is quoted, in code or in a table, near a
 * word that names an attack (`named`), and not near an instruction to follow it. A quotation alone
 * does not suffice, as in `Do as it says: "…"`.
 */
function isExample(source: LintText, start: number, end: number, named: RegExp): boolean {
  const { text } = source
  const line = lineBefore(text, start, 1000)
  const isCode = source.inCode(start)
  const isQuoted = quotation.test(line)
  if (!isCode && !isQuoted && !/^\s*\|/.test(line) && !reported.test(line)) return false
  // An instruction inside the quotation or the code is part of the attack.
  const inner = isQuoted ? line.length - line.search(quotation) : isCode ? line.length : 0
  const rest = isQuoted || isCode ? lineAfter(text, end).search(/["`”»」』’]|$/) : 0
  const opens = start - inner
  const closes = end + rest
  const around = text.slice(Math.max(0, start - contextBefore), end + near)
  if (!named.test(around)) return false
  const asks = (part: string) =>
    [...part.matchAll(order)].some(({ index }) => !refused.test(part.slice(0, index)))
  return (
    !asks(text.slice(Math.max(0, opens - near), opens)) && !asks(text.slice(closes, closes + near))
  )
}
