/**
 * Normalizes a text for comparison in linear time. Returns it in lower case, without accents,
 * invisible characters, emphasis, link targets, and short tags and comments. Long comments remain,
 * because agents read them.
 */
export const normalize = (text: string): string =>
  text
    .replace(/&#(x[0-9a-f]{1,6}|\d{1,7});/gi, decodeEntity)
    .replace(/[^\0-\x7f]+/g, foldForeign)
    .replace(/<[^<>]{0,80}>|\]\([^()]{0,80}\)|[*_~`]+/g, '')
    .toLowerCase()

function decodeEntity(entity: string, number: string): string {
  const point = Number(/^x/i.test(number) ? `0${number}` : number)
  return point <= 0x10ffff ? String.fromCodePoint(point) : entity
}

/** Cyrillic, Greek and other letters, each with the Latin letter that it resembles. */
const lookAlikes = new Map(
  'аa еe оo рp сc хx уy іi јj ѕs һh ԁd αa οo ρp νv ıi'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
)

const foldForeign = (run: string): string =>
  run
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[^\p{L}\p{N}]/gu, ' ')
    .replace(/[Ͱ-ԯı]/g, (letter) => lookAlikes.get(letter) ?? letter)

/** The finalizer of MurmurHash3. */
function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/**
 * First code unit of scripts without spaces between words, where each character counts as a word.
 */
const FIRST_WITHOUT_BLANKS = 0x2e80

/** Returns the keyed hashes of a text's words in order, without immediate repetitions. */
export function hashWords(text: string, key: number): number[] {
  const normal = normalize(text)
  const words: number[] = []
  let [word, last] = [key, key]
  for (let i = 0; i <= normal.length; i++) {
    const code = i < normal.length ? normal.charCodeAt(i) : 0
    const isLetter = (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127
    if (isLetter) word = (Math.imul(word ^ code, 0x01000193) + 0x9e3779b9) | 0
    if ((isLetter && code < FIRST_WITHOUT_BLANKS) || word === key) continue
    if (word !== last) words.push(mix(word))
    last = word
    word = key
  }
  return words
}

/** Returns a hash of three word hashes, from 1 to 2^31 − 1. */
export const hashRun = (a: number, b: number, c: number): number =>
  mix(Math.imul(Math.imul(a, 0x85ebca6b) + b, 0xc2b2ae35) + c) >>> 1 || 1
