/** Segmentation and folding of non-ASCII words. */

/** Scripts without spaces between words, which need a dictionary. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
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
const PLAIN = /^[\u0e00-\u0e7f\u3041-\u9fff\uac00-\ud7a3]+$/

/** Maximum length of a segmented piece, in UTF-16 code units. */
const PIECE = 200

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Splits non-ASCII text into words, in lower case and NFKC. */
export function segment(text: string): string[] {
  const run = text.normalize('NFKC').toLowerCase()
  if (!UNSPACED.test(run)) return run.match(WORDS) ?? []
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
export function fold(word: string): string {
  if (PLAIN.test(word)) return word
  const plain = word.toLowerCase().normalize('NFKD').replace(ACCENTS, '')
  return plain.replace(/[ßæœøłđı]/g, (c) => LIGATURES[c] ?? c).normalize('NFC')
}
