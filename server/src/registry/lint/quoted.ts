import { type LintText, lineAfter, lineBefore } from './text.ts'

/** Asks for a passage, here or before it, to be done. */
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

/** Whether a text asks, and does not forbid, to do what it shows. */
function asksToFollow(text: string): boolean {
  for (const { index } of text.matchAll(order)) {
    if (!refused.test(text.slice(Math.max(0, index - 60), index))) return true
  }
  return false
}

/** Opens a sentence that asks to do the passage after it, as in "Now run:". */
const handsOver =
  /^[\s>*_#\d.):-]{0,20}(?:(?:step \d{1,2}|first|then|now|next|finally|please|always|and|to \w{1,20}(?: \w{1,20}){0,4})[,:]?\s){0,3}(?:run|execute|upload|send|post|submit|forward|use|type|enter|paste|call|do|perform|start|begin|try|copy|share|back up|sync|check|verify|install)\b/

const reported =
  /\b(?:asks?|asking|tells?|telling|tr(?:y|ies|ying)|attempts?|claims?|lets?|orders?|instructs?)\b[^.!?\n]{0,40}$/

/** How much of a text around a passage is looked at, in characters and lines. */
const near = 300
const farthest = 3000
const mostItems = 12
/** No text warns of more attacks by quoting them; later passages count as unquoted. */
const mostQuotations = 100

/**
 * Returns a function that asks whether passages of a text are examples of attacks: set apart as a
 * quotation, code or a row of a table; near a word that names an attack (`named`); and without an order
 * to follow them. A quotation alone is no excuse: `Do as it says: "…"`.
 */
export function examplesIn(text: LintText, named: RegExp): (start: number, end: number) => boolean {
  let asked = 0
  return (start, end) => {
    asked += 1
    if (asked > mostQuotations) return false
    const line = lineBefore(text.text, start, 1000)
    const around = aroundQuotation(text, start, end)
    if (!around) return false
    const sentence = lastSentence(line)
    const { lead, heading } = leadIn(text.text, start - line.length)
    const window = text.text.slice(Math.max(0, start - 240), end + 160)
    if (![window, lead, heading].some((label) => named.test(label))) return false
    if (handsOver.test(sentence) || handsOver.test(lastSentence(lead))) return false
    return !asksToFollow(around.before) && !asksToFollow(around.after)
  }
}

/**
 * Some hundred characters before and after the quotation, code, row of a table or bold label of a list
 * that a passage is in, or the report of it ("mails that ask you to …"); undefined if it is in none.
 */
function aroundQuotation(
  { text, inCode }: LintText,
  start: number,
  end: number,
): { before: string; after: string } | undefined {
  const line = lineBefore(text, start, 1000)
  const rest = lineAfter(text, end)
  const quote = openQuote(line)
  const isCode = inCode(start)
  const isCell = /^\s*\|/.test(line)
  const isLabel = /^\s*[-*+] \*\*$/.test(line) && /^:?\*\*:?\s*$/.test(rest)
  if (quote < 0 && !isCode && !isCell && !isLabel && !reported.test(line)) return undefined
  // In a block of code the line is the quotation. A cell, a label or a report may contain an order itself.
  const lineStart = start - line.length
  const opens = quote >= 0 ? lineStart + quote : isCode ? lineStart : start
  const closes = quote >= 0 ? Math.max(0, rest.search(/["`”»」』’']/)) : isCode ? rest.length : 0
  return {
    before: text.slice(Math.max(0, opens - near), opens),
    after: text.slice(end + closes, end + closes + near),
  }
}

/** Where a quotation that goes on at the end of a line's beginning was opened, or -1. */
function openQuote(line: string): number {
  for (const mark of ['"', '`']) {
    if (line.endsWith(mark) || line.split(mark).length % 2 === 0) return line.lastIndexOf(mark)
  }
  return line.search(/[“„«「『‘][^”»」』’\n]*$|(?<=^|[\s(])'[^'\n]*$/)
}

const lastSentence = (text: string) => text.split(/[.!?。](?=\s)/).at(-1) ?? ''

/** The line before the list, table or block of code of a line, and the heading above. */
function leadIn(text: string, lineStart: number): { lead: string; heading: string } {
  const before = text.slice(Math.max(0, lineStart - farthest), lineStart)
  const lines = before.split('\n').slice(0, -1)
  const heading = lines.findLast((line) => /^#{1,6} /.test(line)) ?? ''
  const lead = lines
    .slice(-mostItems)
    .findLast((line) => !/^\s*(?:$|\||[-*+]\s|\d{1,3}[.)]\s|`{3}|~{3}|\s{4})/.test(line))
  return { lead: lead ?? '', heading }
}
