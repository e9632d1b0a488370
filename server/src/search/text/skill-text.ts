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

/** The fence of a code block that is open: its character and length; none is 0. */
export interface Fence {
  mark: number
  length: number
}

/** What the line of a readme in UTF-8 that begins at `from` is; fence lines are code. */
export function lineKind(readme: Uint8Array, from: number, length: number, fence: Fence): number {
  let at = from
  while (at < length && (readme[at] === SPACE || readme[at] === TAB)) at++
  const first = readme[at] as number
  if (first === BACKTICK || first === TILDE) {
    let end = at
    while (end < length && readme[end] === first) end++
    if (end - at >= 3) {
      if (fence.mark === 0) {
        fence.mark = first
        fence.length = end - at
      } else if (fence.mark === first && end - at >= fence.length) fence.mark = 0
      return CODE_LINE
    }
  }
  if (fence.mark !== 0) return CODE_LINE
  return first === SHARP && at === from && isHeading(readme, at, length) ? HEADING_LINE : TEXT_LINE
}

const TAB = 9
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
