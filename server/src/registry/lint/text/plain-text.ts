import { decodedEntities } from './entities.ts'
import { nextHidden } from './hidden-runs.ts'
import { latinWords } from './latin-words.ts'
import { wholeWords } from './whole-words.ts'

/** A text as a model reads it, with the way back to where a finding stands. */
export interface PlainText {
  /** Lower case; as many lines as the original has. */
  readonly text: string
  /** Where the line of an offset in `text` begins in the original. */
  originalOffset(offset: number): number
}

/**
 * Undoes what hides words from a search and not from a reader: full-width and mathematical letters
 * (NFKC), letters of other scripts that look Latin, HTML entities, hidden characters, and quotes and
 * tags within words, as in `c'u'rl` and `cu<b></b>rl`. Takes time linear in the text.
 */
export function plainText(original: string): PlainText {
  const shown = wholeWords(lettersFolded(original))
  const text = shown.toLowerCase()
  const isAligned = shown === original && text.length === original.length
  return { text, originalOffset }

  function originalOffset(offset: number): number {
    if (isAligned) return offset
    let start = 0
    for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
      start = original.indexOf('\n', start) + 1
    }
    return start
  }
}

function lettersFolded(text: string): string {
  let plain = decodedEntities(text)
  if (!/[\u0080-\uffff]/.test(plain)) return plain
  plain = withoutHidden(plain)
  if (!/[\u0080-\uffff]/.test(plain)) return plain
  if (compatible.test(plain)) plain = plain.replace(compatibles, normalized)
  return latinWords(plain)
}

/** Private use and controls are no part of words either; what joins emoji goes as well. */
function withoutHidden(text: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = nextHidden(text, 0); at < text.length; ) {
    parts.push(text.slice(from, at))
    from = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
    at = nextHidden(text, from)
  }
  return from === 0 ? text : parts.join('') + text.slice(from)
}

/** Letters in forms that NFKC takes back, and spaces of other widths. */
const compatible =
  /[\u00a0\u2000-\u200a\u202f\u205f\u3000\u2100-\u214f\u2460-\u24ff\uff01-\uff5e]|\ud835|\ud83c[\udd30-\udd89]/
const compatibles =
  /[\u00a0\u2000-\u200a\u202f\u205f\u3000\u2100-\u214f\u2460-\u24ff\uff01-\uff5e\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f189}]+/gu
const normalized = (letters: string): string => letters.normalize('NFKC')
