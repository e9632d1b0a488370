/** First and last code point of what shows nothing or changes what is shown, and its name. */
export const hiddenRanges: readonly (readonly [first: number, last: number, name: string])[] = [
  [0x00, 0x08, 'control character'],
  [0x0e, 0x1f, 'control character'],
  [0x7f, 0x9f, 'control character'],
  [0xad, 0xad, 'SOFT HYPHEN'],
  [0x34f, 0x34f, 'COMBINING GRAPHEME JOINER'],
  [0x61c, 0x61c, 'ARABIC LETTER MARK'],
  [0x115f, 0x1160, 'HANGUL FILLER'],
  [0x17b4, 0x17b5, 'KHMER INHERENT VOWEL'],
  [0x180b, 0x180f, 'MONGOLIAN FORMAT CHARACTER'],
  [0x200b, 0x200b, 'ZERO WIDTH SPACE'],
  [0x200c, 0x200c, 'ZERO WIDTH NON-JOINER'],
  [0x200d, 0x200d, 'ZERO WIDTH JOINER'],
  [0x200e, 0x200e, 'LEFT-TO-RIGHT MARK'],
  [0x200f, 0x200f, 'RIGHT-TO-LEFT MARK'],
  [0x202a, 0x202a, 'LEFT-TO-RIGHT EMBEDDING'],
  [0x202b, 0x202b, 'RIGHT-TO-LEFT EMBEDDING'],
  [0x202c, 0x202c, 'POP DIRECTIONAL FORMATTING'],
  [0x202d, 0x202d, 'LEFT-TO-RIGHT OVERRIDE'],
  [0x202e, 0x202e, 'RIGHT-TO-LEFT OVERRIDE'],
  [0x2060, 0x2060, 'WORD JOINER'],
  [0x2061, 0x2064, 'INVISIBLE OPERATOR'],
  [0x2065, 0x2065, 'unassigned invisible character'],
  [0x2066, 0x2066, 'LEFT-TO-RIGHT ISOLATE'],
  [0x2067, 0x2067, 'RIGHT-TO-LEFT ISOLATE'],
  [0x2068, 0x2068, 'FIRST STRONG ISOLATE'],
  [0x2069, 0x2069, 'POP DIRECTIONAL ISOLATE'],
  [0x206a, 0x206f, 'deprecated format character'],
  [0x3164, 0x3164, 'HANGUL FILLER'],
  [0xe000, 0xf8ff, 'private use character'],
  [0xfe00, 0xfe0f, 'VARIATION SELECTOR'],
  [0xfeff, 0xfeff, 'ZERO WIDTH NO-BREAK SPACE'],
  [0xffa0, 0xffa0, 'HALFWIDTH HANGUL FILLER'],
  [0xfff9, 0xfffb, 'INTERLINEAR ANNOTATION'],
  [0x1d173, 0x1d17a, 'MUSICAL FORMAT CHARACTER'],
  [0xe0000, 0xe007f, 'TAG CHARACTER'],
  [0xe0080, 0xe00ff, 'unassigned invisible character'],
  [0xe0100, 0xe01ef, 'VARIATION SELECTOR SUPPLEMENT'],
  [0xe01f0, 0xe0fff, 'unassigned invisible character'],
  [0xf0000, 0xffffd, 'private use character'],
  [0x100000, 0x10fffd, 'private use character'],
]

/** By UTF-16 unit: 1 for a hidden character or the first half of one beyond the basic plane. */
const hiddenUnits = new Uint8Array(0x10000)
for (const [first, last] of hiddenRanges) {
  const unit = (point: number) => (point > 0xffff ? 0xd7c0 + (point >> 10) : point)
  hiddenUnits.fill(1, unit(first), unit(last) + 1)
}

const beyondBasicPlane = hiddenRanges.filter(([first]) => first > 0xffff)

/** Where the next run of hidden characters begins, or the text's length. */
export function nextHidden(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (hiddenUnits[text.charCodeAt(at)] === 1 && hiddenWidth(text, at) > 0) return at
  }
  return text.length
}

/** Where a run of hidden characters ends. */
export function hiddenEnd(text: string, from: number): number {
  let at = from
  for (let width = hiddenWidth(text, at); width > 0; width = hiddenWidth(text, at)) at += width
  return at
}

/** UTF-16 units of the hidden character that stands here, or 0. */
function hiddenWidth(text: string, at: number): number {
  if (hiddenUnits[text.charCodeAt(at)] !== 1) return 0
  const point = text.codePointAt(at) ?? 0
  if (point <= 0xffff) return 1
  for (const [first, last] of beyondBasicPlane) if (point >= first && point <= last) return 2
  return 0
}

export function hiddenName(point: number): string {
  const range = hiddenRanges.find(([first, last]) => point >= first && point <= last)
  return range?.[2] ?? 'hidden character'
}
