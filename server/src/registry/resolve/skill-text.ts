/** What is indexed of a skill. */
export interface SkillText {
  id: string
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

export type LineKind = 'heading' | 'text' | 'code'

/** Calls `line` for every line of a readme with what it is; fence lines themselves are code. */
export function eachLine(
  readme: string,
  line: (from: number, to: number, kind: LineKind) => void,
): void {
  let fence = ''
  for (let from = 0; from < readme.length; ) {
    const newline = readme.indexOf('\n', from)
    const to = newline < 0 ? readme.length : newline
    const mark = fenceMark(readme, from, to)
    if (fence !== '') {
      line(from, to, 'code')
      if (mark.startsWith(fence)) fence = ''
    } else if (mark !== '') {
      fence = mark
      line(from, to, 'code')
    } else {
      line(
        from,
        to,
        readme.charCodeAt(from) === HASH && isHeading(readme, from) ? 'heading' : 'text',
      )
    }
    from = to + 1
  }
}

const HASH = 35
const HEADING = /#{1,6}\s/y

function isHeading(readme: string, from: number): boolean {
  HEADING.lastIndex = from
  return HEADING.test(readme)
}

/** The run of three or more backticks or tildes that begins the line, else ''. */
function fenceMark(readme: string, from: number, to: number): string {
  let at = from
  while (at < to && (readme.charCodeAt(at) === 32 || readme.charCodeAt(at) === 9)) at++
  const c = readme.charCodeAt(at)
  if (c !== 96 && c !== 126) return ''
  let end = at
  while (end < to && readme.charCodeAt(end) === c) end++
  return end - at >= 3 ? readme.slice(at, end) : ''
}
