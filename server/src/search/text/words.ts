/** Maximum length of an indexed word, in UTF-16 units. Longer ones are hashes or encoded data. */
const MAX_WORD_LENGTH = 64

/** A folded lower-case word ("editeur") and its unfolded spelling ("éditeur"). */
export interface Word {
  readonly word: string
  readonly written: string
}

/**
 * Letters and digits with an English contraction, and names such as "C++" and ".NET". In scripts
 * without spaces a token is a phrase.
 */
const TOKEN =
  /\.net(?<![\p{L}\p{Nd}]....)(?![\p{L}\p{Nd}])|[cf]#|c\+\+|[\p{L}\p{Nd}〇][\p{L}\p{Nd}\p{M}〇]*(?:['’](?:[sdtm]|ll|re|ve)(?![\p{L}\p{Nd}]))?/giu

const PLAIN = /^[a-z\d]+$/

const NAMED = new Map([
  // A function word. Without its accent it would be the company.
  ['über', 'ueber'],
  ['.net', 'dotnet'],
  ['c++', 'cpp'],
  ['c#', 'csharp'],
  ['f#', 'fsharp'],
])

/**
 * Returns the tokens of a text, in order. In scripts without spaces a token can contain several
 * words.
 */
export const tokensOf = (text: string): readonly string[] => text.match(TOKEN) ?? []

export function wordsOf(token: string): readonly Word[] {
  const written = token.toLowerCase()
  if (PLAIN.test(written))
    return written.length > MAX_WORD_LENGTH ? [] : [{ word: written, written }]
  const word = NAMED.get(written) ?? withoutContraction(written)
  const words = PLAIN.test(word)
    ? [{ word, written }]
    : segment(word).map((part) => ({ word: fold(part), written: part }))
  return words.filter((each) => each.word.length <= MAX_WORD_LENGTH && each.word !== '')
}

export const phraseOf = (text: string): string =>
  tokensOf(text)
    .flatMap((token) => wordsOf(token).map(({ word }) => word))
    .join(' ')

/** Removes contractions: "user's" becomes "user". "don't" becomes "dont". */
function withoutContraction(token: string): string {
  const [stem = '', ending] = token.split(/['’]/)
  return ending === 't' && stem.endsWith('n') ? `${stem}t` : stem
}

const UPPER = /.[A-Z]/
/** Words with upper case inside: not "iOS", nor words that are upper case throughout. */
const CAMEL = /^(?!.[A-Z]+$)[A-Za-z\d]*(?:[a-z\d][A-Z]|[A-Z]{2}[a-z\d])[A-Za-z\d]*$/
/** Splits "HTTPServer" into "HTTP" and "Server". "APIs" stays whole. */
const BOUNDARY = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s$)[a-z])/

/** Returns the lower-case parts of a camelCase token, none for other tokens. */
export function camelParts(token: string): string[] {
  if (!UPPER.test(token)) return []
  const [word = ''] = token.split(/['’]/)
  if (word.length > MAX_WORD_LENGTH || !CAMEL.test(word)) return []
  const parts = word.split(BOUNDARY).filter((part) => part.length > 1 && part !== word)
  return parts.map((part) => part.toLowerCase())
}

/** Scripts without spaces between words, which need a dictionary. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const FOREIGN_WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
/** Latin, Greek and Cyrillic accents, Arabic vowel signs and tatweel, emoji variants. */
const ACCENTS = /[\u0300-\u036f\u064b-\u065f\u0670\u0640]|\u20e3|\ufe0f/g
const LIGATURES: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
}
/** Thai, kana, Chinese and Korean have neither accents nor ligatures. */
const UNACCENTED = /^[\u0e00-\u0e7f\u3041-\u9fff\uac00-\ud7a3]+$/

/** Maximum length of a segmented piece, in UTF-16 code units. */
const PIECE = 200

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Splits non-ASCII text into words, in lower case and NFKC. */
function segment(text: string): string[] {
  const run = text.normalize('NFKC').toLowerCase()
  if (!UNSPACED.test(run)) return run.match(FOREIGN_WORDS) ?? []
  const words: string[] = []
  for (let start = 0; start < run.length; ) {
    // Segmentation time is quadratic in the length; a cut splits about one word in a hundred.
    const cut = start + PIECE
    const inPair = (run.charCodeAt(cut - 1) & 0xfc00) === 0xd800
    const end = inPair ? cut + 1 : cut
    segmentPiece(run.slice(start, end), words)
    start = end
  }
  return words
}

/** `containing` is twice as fast as iteration. */
function segmentPiece(piece: string, words: string[]): void {
  const segments = segmenter.segment(piece)
  for (let part = segments.containing(0); part !== undefined; ) {
    if (part.isWordLike) words.push(part.segment)
    part = segments.containing(part.index + part.segment.length)
  }
}

/** Removes accents and expands ligatures of a word: "éditeur" becomes "editeur". */
function fold(word: string): string {
  if (UNACCENTED.test(word)) return word
  const plain = word.toLowerCase().normalize('NFKD').replace(ACCENTS, '')
  return plain.replace(/[ßæœøłđı]/g, (c) => LIGATURES[c] ?? c).normalize('NFC')
}

/** Returns the 32-bit FNV-1a hash of a text. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619)
  return hash >>> 0
}
