import { codeIn, lineBefore } from './code-in.ts'

/** Tells of a passage whether it is shown as an example of an attack. */
export type IsQuoted = (start: number, end: number) => boolean

/** Names an attack. Words of a defence, such as "detect", are in any text about settings. */
const attack =
  /injection|jailbreak|attack|adversar|malicious|hostile|red.?team|exfiltrat|phish|exploit|why (?:it is |it['’]s |this is )?(?:bad|wrong|dangerous)|(?:bad|dangerous|harmful) examples?|攻击|攻擊|注入/

/** Asks for what is quoted, here or before it, to be done. */
const order = new RegExp(
  [
    '\\b(?:follow|obey|run|execute|perform|carry out|comply with|act on|apply|honou?r|heed)\\b\\s(?:exactly\\s|just\\s|what\\s|as\\s|all\\s|each\\s|both\\s|of\\s|every\\s){0,3}(?:the|this|that|these(?! (?:\\d{1,2}|\\w{3,5}) (?:steps|phases))|those|it|them|so|says?|told|quoted|above|below|following|its|command|line|step|instruction)\\b',
    '\\bdo (?:so|this|that|it|as|what (?:it|they)|(?:exactly|just) (?:this|that|what))\\b',
    '\\b(?:you|agents?|assistants?|models?|claude)\\s(?:must|should|shall|have to|need to|are to|will|is to)\\s(?!(?:not|never|refuse|reject|ignore|block|report|flag|treat|stop|detect|recogni[sz]e)\\b)',
    '\\b(?:applies|binding|mandatory|for real|valid here|your (?:task|job|orders?|next step)|counts? as (?:an? |your )?(?:instruction|order|command)|is (?:an?|your) (?:order|command))\\b',
    '\\b(?:treat|take|read|regard)\\s(?:it|this|that|them|the\\s\\w{1,12})\\sas\\s(?:an?\\s|your\\s)?(?:real\\s)?(?:instruction|order|command|task)',
  ].join('|'),
  'g',
)
const refused =
  /(?:\b(?:never|not|cannot|without|nor|refuses? to|instead of|rather than)|n['’]t)(?:\s(?!fail|forget|hesitate|omit|skip|neglect|miss|only)\w{1,16}){0,2}\s$/

/** Opens a sentence that hands over what comes next to be done, as in "Now run:". */
const handsOver =
  /^[\s>*_#\d.):-]{0,20}(?:(?:step \d{1,2}|first|then|now|next|finally|please|always|and|to \w{1,20}(?: \w{1,20}){0,4})[,:]?\s){0,3}(?:run|execute|upload|send|post|submit|forward|use|type|enter|paste|call|do|perform|start|begin|try|copy|share|back up|sync|check|verify|install)\b/

/** How far a quotation is from what says of what it is an example, in characters and lines. */
const near = 300
const longLine = 1000
const farthest = 3000
const mostItems = 12

/** No text warns of more attacks by quoting them; what comes after these counts as unquoted. */
export const mostQuotations = 100

/**
 * What asks whether passages of a text are examples of attacks: set apart as a quotation, code or a
 * row of a table; named as an attack by their own sentence, by the line that leads in, or by the
 * heading; and without an order to follow them. A quotation alone is no excuse: `Do as it says: "…"`.
 * All of a text that `isCode` counts as code.
 */
export function quotedIn(text: string, isCode = false): IsQuoted {
  let inCode: ((at: number) => boolean) | undefined = isCode ? () => true : undefined
  let asked = 0
  return (start, end) => {
    asked += 1
    if (asked > mostQuotations) return false
    const before = lineBefore(text, start, longLine)
    const lineStart = start - before.length
    inCode ??= codeIn(text)
    const around = aroundQuotation(text, start, end, inCode(start))
    if (!around) return false
    const after = restOfLine(text, end)
    const sentence = lastSentence(before) + text.slice(start, end) + firstSentence(after)
    const { lead, header } = leadIn(text, lineStart)
    const labels = [sentence, lead, header, headingBefore(text, start)]
    const isNamed = labels.some((label) => attack.test(label))
    if (!isNamed || handsOver.test(lastSentence(before)) || handsOver.test(lastSentence(lead))) {
      return false
    }
    return !asksToFollow(around.before) && !asksToFollow(around.after)
  }
}

/** Whether words before a passage report it, as in "emails that ask you to …". */
export function isReported(before: string): boolean {
  return /\b(?:asks?|asking|tells?|telling|tr(?:y|ies|ying)|attempts?|claims?|lets?|orders?|instructs?)\b[^.!?\n]{0,40}$/.test(
    before,
  )
}

/** Whether a text asks, and does not forbid, to do what it shows. */
export function asksToFollow(text: string): boolean {
  order.lastIndex = 0
  for (let match = order.exec(text); match; match = order.exec(text)) {
    if (!refused.test(text.slice(Math.max(0, match.index - 60), match.index))) return true
  }
  return false
}

/** What stands around a quotation. */
export interface Surroundings {
  readonly before: string
  readonly after: string
}

/**
 * What stands around the quotation, code, row of a table or bold label of a list that a passage is
 * part of, some hundred characters each side; undefined where it is part of none.
 */
export function aroundQuotation(
  text: string,
  start: number,
  end: number,
  isCode: boolean,
): Surroundings | undefined {
  const line = lineBefore(text, start, longLine)
  const lineStart = start - line.length
  const rest = restOfLine(text, end)
  const quote = openQuote(line)
  if (quote < 0 && !isCode) {
    // A cell or a label may hold an order itself.
    const isCell = /^\s*\|/.test(line)
    const isLabel = /^\s*[-*+] \*\*$/.test(line) && /^:?\*\*:?\s*$/.test(rest)
    if (!isCell && !isLabel) return undefined
  }
  // In a block of code the line is the quotation.
  const opens = quote < 0 ? (isCode ? lineStart : start) : start - line.length + quote
  const closes = quote < 0 ? (isCode ? rest.length : 0) : Math.max(0, rest.search(/["`”»」』’']/))
  return {
    before: text.slice(Math.max(0, opens - near), opens),
    after: text.slice(end + closes, end + closes + near),
  }
}

/** Where a quotation that goes on at the end of a line's beginning was opened, or -1. */
function openQuote(line: string): number {
  for (const mark of ['"', '`']) {
    const isOpen = line.endsWith(mark) || line.split(mark).length % 2 === 0
    if (isOpen) return line.lastIndexOf(mark)
  }
  return line.search(/[“„«「『‘][^”»」』’\n]*$|(?<=^|[\s(])'[^'\n]*$/)
}

function restOfLine(text: string, from: number): string {
  return text.slice(from, from + longLine).split('\n', 1)[0] ?? ''
}

const firstSentence = (text: string) => text.split(/[.!?。](?=\s|$)/, 1)[0] ?? ''
const lastSentence = (text: string) => text.split(/[.!?。](?=\s)/).at(-1) ?? ''

/** The line before a list, table or block of code that a line belongs to, and a table's first row. */
function leadIn(text: string, lineStart: number): { lead: string; header: string } {
  const lines = text
    .slice(Math.max(0, lineStart - farthest), lineStart)
    .split('\n')
    .slice(0, -1)
  let header = ''
  for (const line of lines.slice(-mostItems).reverse()) {
    if (/^\s*\|/.test(line)) header = line
    else if (!/^\s*(?:$|[-*+]\s|\d{1,3}[.)]\s|`{3}|~{3}|\s{4})/.test(line)) {
      return { lead: line, header }
    }
  }
  return { lead: '', header }
}

function headingBefore(text: string, at: number): string {
  const lines = text
    .slice(Math.max(0, at - farthest), at)
    .split('\n')
    .slice(0, -1)
  return lines.findLast((line) => /^#{1,6} /.test(line)) ?? ''
}
