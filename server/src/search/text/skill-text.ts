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

/** Splits a description into the purpose and the uses that it excludes. */
export function splitDescription(description: string): { purpose: string; aside: string } {
  let purpose = ''
  let aside = ''
  for (const sentence of description.split(SENTENCE_END)) {
    if (NOT_FOR.test(sentence) || ELSEWHERE.test(sentence)) aside += `${sentence}\n`
    else purpose += `${sentence}\n`
  }
  // If the description has only excluded uses, use them as its purpose.
  return purpose === '' ? { purpose: aside, aside: '' } : { purpose, aside }
}

export const HEADING_LINE = 0
export const TEXT_LINE = 1
export const CODE_LINE = 2

const FENCE = /^[ \t]*(`{3,}|~{3,})/
const HEADING = /^#{1,6}[ \t]/

/** Returns a function that classifies the lines of a readme in order. Fence lines are code. */
export function createLineKinds(): (line: string) => number {
  /** Fence of the open code block. */
  let open = ''
  return (line) => {
    const [, fence] = FENCE.exec(line) ?? []
    if (fence !== undefined) {
      if (open === '') open = fence
      else if (fence.startsWith(open)) open = ''
      return CODE_LINE
    }
    if (open !== '') return CODE_LINE
    return HEADING.test(line) ? HEADING_LINE : TEXT_LINE
  }
}
