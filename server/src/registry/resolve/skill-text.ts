/** What is indexed of a skill. */
export interface SkillText {
  name: string
  slug: string
  description: string
  tags: readonly string[]
  readme: string
}

const SENTENCE_END = /(?<=[.!?;。！？])\s+|\n+/
const NOT_FOR =
  /^(?:(?:please )?(?:do not|don't|does not|doesn't|never|not) (?:use|for|apply|intended|suitable|meant|trigger|invoke|activate)|(?:skip|avoid) (?:this|it|when|for|if|using)|not (?:a|an) (?:replacement|substitute))\b/i
const ELSEWHERE =
  /^for .{3,90}?[,:]? (?:use|see|prefer|invoke|try) |\b(?:use|see|prefer) \S+ instead\b/i

/** Splits a description into what the skill is for and what it says it is not for. */
export function splitDescription(description: string): { purpose: string; aside: string } {
  let purpose = ''
  let aside = ''
  for (const sentence of description.split(SENTENCE_END)) {
    if (NOT_FOR.test(sentence) || ELSEWHERE.test(sentence)) aside += `${sentence}\n`
    else purpose += `${sentence}\n`
  }
  // a description made of nothing else is all there is to go by
  return purpose === '' ? { purpose: aside, aside: '' } : { purpose, aside }
}

export const HEADING_LINE = 0
export const TEXT_LINE = 1
export const CODE_LINE = 2

/** Calls `line` for every line of a readme in UTF-8 with what it is; fence lines are code. */
export function eachLine(
  readme: Uint8Array,
  length: number,
  line: (from: number, to: number, kind: number) => void,
): void {
  /** The open fence's character and length. */
  let fence = 0
  let fenceLength = 0
  for (let from = 0; from < length; ) {
    let at = from
    while (at < length && (readme[at] === SPACE || readme[at] === TAB)) at++
    const first = readme[at] as number
    let kind = fence === 0 ? TEXT_LINE : CODE_LINE
    if (first === BACKTICK || first === TILDE) {
      let end = at
      while (end < length && readme[end] === first) end++
      if (end - at >= 3) {
        kind = CODE_LINE
        if (fence === 0) {
          fence = first
          fenceLength = end - at
        } else if (fence === first && end - at >= fenceLength) fence = 0
      }
    } else if (first === SHARP && at === from && fence === 0 && isHeading(readme, at, length)) {
      kind = HEADING_LINE
    }
    const newline = readme.indexOf(NEWLINE, at)
    const to = newline < 0 || newline > length ? length : newline
    line(from, to, kind)
    from = to + 1
  }
}

const TAB = 9
const NEWLINE = 10
const SPACE = 32
const SHARP = 35
const BACKTICK = 96
const TILDE = 126

/** One to six number signs and a blank. */
function isHeading(readme: Uint8Array, from: number, length: number): boolean {
  let at = from
  while (at < length && readme[at] === SHARP) at++
  return at - from <= 6 && (readme[at] === SPACE || readme[at] === TAB)
}
