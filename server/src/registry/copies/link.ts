/** Brackets within each other that a page reads as a link at most, as the common renderers have it. */
const DEEPEST = 32

/**
 * Where a link's target with its title ends, from the bracket at `at` on, as CommonMark reads them
 * (6.3); undefined where there is none. Takes linear time over all brackets of a text: one that does
 * not end counts as a level for those before it.
 */
export function targetEnd(text: string, at: number): number | undefined {
  const destination = destinationEnd(text, past(BLANK, text, at + 1) ?? at + 1)
  if (destination === undefined) return undefined
  const end = past(BLANK, text, destination) ?? destination
  if (text[end] === ')') return end + 1
  const title = end > destination ? past(TITLE, text, end) : undefined
  if (title === undefined) return undefined
  const last = past(BLANK, text, title) ?? title
  return text[last] === ')' ? last + 1 : undefined
}

function destinationEnd(text: string, at: number): number | undefined {
  if (text[at] === '<') return past(IN_ANGLES, text, at)
  let depth = 0
  for (let i = at; i < text.length; i++) {
    const character = text[i] as string
    if (character <= ' ') return depth === 0 ? i : undefined
    if (character === '\\' && isEscapable(text[i + 1])) i++
    else if (character === '(' && ++depth > DEEPEST) return undefined
    else if (character === ')' && --depth < 0) return i
  }
  return undefined
}

/** Where the text of an image ends, from the bracket at `at` on; undefined where it does not. */
export function labelEnd(text: string, at: number): number | undefined {
  let depth = 0
  for (let i = at; i < text.length; i++) {
    const character = text[i]
    if (character === '\\') i++
    else if (character === '[' && ++depth > DEEPEST) return undefined
    else if (character === ']' && --depth === 0) return i + 1
    else if (character === '\n' && past(EMPTY_LINE, text, i)) return undefined
  }
  return undefined
}

const isEscapable = (character = ' ') => character > ' '

function past(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** With a line's end at most, after which a quotation goes on with its sign. */
const BLANK = /[ \t\r]*(?:\n[ \t\r>]*)?/y
const EMPTY_LINE = /\n[ \t\r>]*\n/y
const IN_ANGLES = /<(?:\\.|[^<>\\\n])*>/y
/** What a title holds besides the signs that may end it: no empty line. */
const unless = (ends: string) => String.raw`(?:\\.|[^${ends}\\\n]|\\?\n(?![ \t\r>]*\n))*`
const TITLE = new RegExp(`"${unless('"')}"|'${unless("'")}'|\\(${unless('()')}\\)`, 'y')
