/** Words of text beyond ASCII: where they begin and end, and what their forms have in common. */

/** Scripts written without spaces, where only a dictionary finds the words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
/** Latin, Greek and Cyrillic accents; Arabic vowel signs and the stretching tatweel; variants of emoji. */
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

/** Most code units of unspaced text that are segmented at once. */
const PIECE = 200

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** The words of a run of letters beyond ASCII, in lower case and compatibility form (NFKC). */
export function segment(text: string): string[] {
  const run = text.normalize('NFKC').toLowerCase()
  if (!UNSPACED.test(run)) return run.match(WORDS) ?? []
  const words: string[] = []
  for (let start = 0; start < run.length; ) {
    // the time of segmentation grows with the square of a run; a cut may part one word in a hundred
    const cut = start + PIECE
    const inPair = (run.charCodeAt(cut - 1) & 0xfc00) === 0xd800
    const end = inPair ? cut + 1 : cut
    segmentPiece(run.slice(start, end), words)
    start = end
  }
  return words
}

/** Asking for the segment at a place takes half as long as iterating over all of them. */
function segmentPiece(piece: string, words: string[]): void {
  const segments = segmenter.segment(piece)
  for (let part = segments.containing(0); part !== undefined; ) {
    if (part.isWordLike) words.push(part.segment)
    part = segments.containing(part.index + part.segment.length)
  }
}

/** Accents and ligatures of a word of `segment` folded: "éditeur" is "editeur". */
export function fold(word: string): string {
  if (PLAIN.test(word)) return word
  const plain = word.toLowerCase().normalize('NFKD').replace(ACCENTS, '')
  return plain.replace(/[ßæœøłđı]/g, (c) => LIGATURES[c] ?? c).normalize('NFC')
}
