import { decodeHTML } from 'entities'
import { labelEnd, targetEnd } from './link.ts'

/** Something in Markdown that is not shown as it stands. */
export interface Markup {
  /** Where it ends. */
  readonly end: number
  /** What a character reference stands for; everything else is hidden and shows nothing. */
  readonly text?: string
}

/** A readme's markup, by the character that it begins with. */
export function createMarkup(text: string) {
  /** Ends that do not come any more: sought again and again they would take the square of their number. */
  const missing = new Set<string>()
  /** Where a tag does not end that has just had a value. */
  const unended = new Set<number>()

  function match(pattern: RegExp, at: number): Markup | undefined {
    pattern.lastIndex = at
    return pattern.test(text) ? { end: pattern.lastIndex } : undefined
  }

  /** What ends only at its own end, whatever it holds. */
  function until(sign: string, from: number): Markup | undefined {
    if (missing.has(sign)) return undefined
    const end = text.indexOf(sign, from)
    if (end === -1) missing.add(sign)
    return end === -1 ? undefined : { end: end + sign.length }
  }

  function angled(at: number): Markup | undefined {
    // a comment may end with the signs that it begins with
    if (text.startsWith('<!--', at)) return until('-->', at + 2)
    if (text.startsWith('<![CDATA[', at)) return until(']]>', at)
    if (text.startsWith('<?', at)) return until('?>', at)
    return match(DECLARATION, at) ? until('>', at) : tag(at)
  }

  /** A tag, in whose values its end may stand. */
  function tag(at: number): Markup | undefined {
    const visited: number[] = []
    let next = LETTER.test(text[at + 1] ?? '') ? match(UP_TO_VALUE, at + 1) : undefined
    while (next && text[next.end - 1] !== '>' && !unended.has(next.end)) {
      visited.push(next.end)
      const value = match(VALUE, next.end - 1)
      next = value && match(UP_TO_VALUE, value.end)
    }
    if (next && text[next.end - 1] === '>') return next
    for (const each of visited) unended.add(each)
    return undefined
  }

  const reference = (at: number): Markup | undefined => {
    const found = match(REFERENCE, at)
    if (!found) return undefined
    const written = text.slice(at, found.end)
    const character = decodeHTML(written)
    return character === written ? undefined : { ...found, text: character }
  }

  function image(at: number): Markup | undefined {
    const label = text[at + 1] === '[' ? labelEnd(text, at + 1) : undefined
    return label === undefined ? undefined : (target(label - 1) ?? { end: label })
  }

  /** What a link leads to, from the bracket on that ends its text. */
  function target(at: number): Markup | undefined {
    const end = text[at + 1] === '(' ? targetEnd(text, at + 1) : undefined
    return end === undefined ? match(TARGET, at) : { end }
  }

  return {
    /** What begins at `at`, at one of the `MARKUP` characters. */
    at(at: number): Markup | undefined {
      switch (text[at]) {
        case '<':
          return angled(at) ?? match(TAG, at)
        case '!':
          return image(at)
        case '[':
          return match(DEFINITION, at) ?? match(FOOTNOTE, at)
        case ']':
          return target(at)
        default:
          return reference(at)
      }
    },
    /** The character reference at `at`. */
    reference,
  }
}

export const MARKUP = '<![]&'

const DECLARATION = /<![a-z]/iy
/** Also what is no tag to a renderer, but may be to a browser. */
const TAG = /<(?:[/?]?[a-z]|![a-z[])[^<>]*>/iy
const LETTER = /[a-z]/i
/** Ends with a tag's end, or with the quote that opens a value. */
const UP_TO_VALUE = /(?:[^<>=]|=(?!\s*["']))*(?:>|=\s*["'])/y
const VALUE = /"[^"]*"|'[^']*'/y
const DEFINITION = /(?<=^|\n[ >]{0,8})\[(?:\\.|[^[\]\\\n])+\]:[^\n]*/y
const FOOTNOTE = /\[\^[^[\]\s]+\]/y
/** By reference, or in brackets that are no target to CommonMark, but look like one. */
const TARGET =
  /\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*|\n[^()\n]*)?\)|\[(?:\\.|\n(?![ \t]*\n)|[^[\]\\\n])*\])/y
const REFERENCE = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/iy
