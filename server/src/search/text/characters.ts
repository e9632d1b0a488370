/** What bytes of UTF-8 mean for cutting text into words. */

export const NEWLINE = 10
export const SHARP = 35
export const QUOTE = 39
export const PLUS = 43
export const DOT = 46
const LETTER_T = 116

const LETTER_C = 99
const LETTER_E = 101
const LETTER_F = 102
const LETTER_N = 110
const LETTER_S = 115

/** The lower-case letter or digit that a byte is, else 0. */
export const LOWERED = new Uint8Array(256)
for (let c = 48; c <= 57; c++) LOWERED[c] = c
for (let c = 97; c <= 122; c++) {
  LOWERED[c] = c
  LOWERED[c - 32] = c
}

/** Bytes of the UTF-8 sequence that begins with `lead`. */
export function sequenceLength(lead: number): number {
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
}

/** How many bytes of punctuation, symbol or emoji stand at `at`; 0 for a letter beyond ASCII. */
export function symbolWidth(source: Uint8Array, at: number): number {
  const lead = source[at] as number
  const second = (source[at + 1] as number) & 63
  if (lead < 0xe0) return isSymbol(((lead & 31) << 6) | second) ? 2 : 0
  const third = (source[at + 2] as number) & 63
  if (lead < 0xf0) return isSymbol(((lead & 15) << 12) | (second << 6) | third) ? 3 : 0
  // emoji and pictographs, U+1F000 to U+1FBFF
  return lead === 0xf0 && second === 0x1f ? 4 : 0
}

function isSymbol(c: number): boolean {
  if (c < 0xc0) return c !== 0xaa && c !== 0xb5 && c !== 0xba
  if (c === 0xd7 || c === 0xf7) return true
  if (c < 0x2000) return false
  if (c < 0x2c00) return true
  if (c < 0x3021) return c >= 0x3000 && c !== 0x3005 && c !== 0x3006 && c !== 0x3007
  if (c < 0xe000) return false
  if (c < 0xf900) return true
  if (c < 0xfe00) return false
  if (c < 0xfe10 || c === 0xfeff || c >= 0xfff0) return true
  // full-width forms: letters and digits are words, the signs between them are not
  return c > 0xff00 && c < 0xff66 && LOWERED[c - 0xfee0] === 0
}

/** Bytes of the apostrophe, straight or curly, that stands at `at`, else 0. */
export function apostropheWidth(source: Uint8Array, at: number): number {
  const c = source[at]
  if (c === QUOTE) return 1
  return c === 0xe2 && source[at + 1] === 0x80 && source[at + 2] === 0x99 ? 3 : 0
}

/** Whether an apostrophe of `width` bytes stands in "n't". */
export function isNt(source: Uint8Array, apostrophe: number, width: number): boolean {
  return (
    LOWERED[source[apostrophe - 1] as number] === LETTER_N &&
    LOWERED[source[apostrophe + width] as number] === LETTER_T
  )
}

/** Length of 's, 't, 'd, 'm, 'll, 're, 've before a word's end, else 0. */
export function contraction(source: Uint8Array, at: number, to: number): number {
  let end = at
  while (end < to && end < at + 3 && isWordByte(source[end] as number)) end++
  const first = String.fromCharCode(LOWERED[source[at] as number] as number)
  if (end - at === 1) return 'stdm'.includes(first) ? 1 : 0
  if (end - at !== 2) return 0
  const second = String.fromCharCode(LOWERED[source[at + 1] as number] as number)
  return ['ll', 're', 've'].includes(first + second) ? 2 : 0
}

function isWordByte(c: number): boolean {
  return c >= 128 || LOWERED[c] !== 0
}

/** The word that "C++", "C#" or "F#" stands for, when one begins at `start`, else ''. */
export function sharpOrPlus(source: Uint8Array, start: number, to: number): string {
  const letter = LOWERED[source[start] as number]
  const plus = source[start + 1] === PLUS && start + 2 < to && source[start + 2] === PLUS
  if (letter === LETTER_C && plus) return 'cpp'
  if (source[start + 1] !== SHARP) return ''
  return letter === LETTER_C ? 'csharp' : letter === LETTER_F ? 'fsharp' : ''
}

/** Whether ".NET" stands at `dot` as a word of its own. */
export function isDotNet(source: Uint8Array, dot: number, to: number): boolean {
  return (
    LOWERED[source[dot + 1] as number] === LETTER_N &&
    LOWERED[source[dot + 2] as number] === LETTER_E &&
    LOWERED[source[dot + 3] as number] === LETTER_T &&
    dot + 4 <= to &&
    (dot === 0 || !isWordByte(source[dot - 1] as number)) &&
    (dot + 4 === to || !isWordByte(source[dot + 4] as number))
  )
}

/** Upper case within a word, though not all through it, makes it a camelCase word. */
export function isCamel(uppers: number, first: number, length: number): boolean {
  const inner = uppers - (first === LOWERED[first] ? 0 : 1)
  return inner !== 0 && inner < length - 1
}

/** Whether a new part of the camelCase word that goes to `end` begins at `i`. */
export function isCamelBoundary(source: Uint8Array, i: number, end: number): boolean {
  if (!isUpper(source[i] as number)) return false
  if (!isUpper(source[i - 1] as number)) return true
  // "HTTPServer" is http + server, but "APIs" stays whole
  const after = source[i + 1] as number
  return i + 1 < end && after >= 97 && !(i + 2 === end && after === LETTER_S)
}

function isUpper(c: number): boolean {
  return c >= 65 && c <= 90
}
