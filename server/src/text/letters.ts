import { hiddenRanges } from '@skillpass/contract'
import { decodeHTML } from 'entities'
import confusables from 'unhomoglyph'
import { confusableLetters, disguises, smallCapitals, unframed } from './skeleton.ts'

/**
 * Returns a text in the letters that a reader sees, in lower case. Decodes entities, removes
 * accents, invisible characters and empty quotes within words (`c''url`), joins blanks, and
 * replaces compatibility forms and look-alikes of Latin letters. The time is linear, and the number
 * of lines stays the same.
 */
export function foldText(original: string): string {
  let text = original.includes('&') ? original.replace(entity, decodeEntity) : original
  if (unusual.test(text)) {
    text = text.replace(unusualRun, lettersOfRun)
    if (lookAlike.test(text)) text = text.replace(word, latinWord)
  }
  if (text.includes("''") || text.includes('""') || text.includes('\\')) {
    text = text.replace(emptyQuotes, '')
  }
  const lower = text.toLowerCase()
  const words = hasGaps.test(lower)
    ? lower.replace(gapped, (letters, gap: string) => letters.replaceAll(gap, ''))
    : lower
  return words.replace(/[ \t]{2,}/g, ' ')
}

/** A word with a sign between its letters, as in `i g n o r e`. Its end is searched first. */
const gapped = /(?<![a-z\d])[a-z]([ ._-])[a-z](?:\1[a-z])+(?![a-z\d])/g
const hasGaps = /([ ._-])[a-z]\1[a-z](?![a-z\d])/

/** As in browsers, numeric references work without a semicolon. */
const entity = /&(?:#\d{1,32};?|#x[\da-f]{1,32};?|[a-z][a-z\d]{1,31};|shy)/gi
const decodeEntity = (found: string) => decodeHTML(found).replace(/[\n\r]/g, ' ')

/** Escapes markup that is written as an entity, such as `&lt;`, because a page shows it as text. */
export const escapeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(entity, (found, at: number) => {
        const sign = decodeHTML(found)
        return /^[<*_~`[\]\\]$/.test(sign) && text[at - 1] !== '\\' ? `\\${sign}` : found
      })
    : text

const emptyQuotes = /(?:''|""|\\)(?<=[a-zA-Z](?:''|""|\\))(?=[a-zA-Z])/g

const unusual = /[^\t\n\r -~]/
/** The normalization of a long run takes quadratic time. */
const unusualRun = /[^\t\n\r -~]{1,500}/gu
/** A text may contain line ends and any script, but its other hidden characters show nothing. */
export const hiddenCharacters = hiddenRanges
  .filter(([, , , kind]) => kind === undefined || kind === 'private')
  .map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`)
  .join('')
const invisible = new RegExp(
  `[\\p{M}\\p{Default_Ignorable_Code_Point}${hiddenCharacters}\\u{e0000}-\\u{e0fff}]`,
  'gu',
)
const framed = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu

/** Replaces compatibility forms, and removes accents and invisible characters. */
export const withoutMarks = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(invisible, '')
    .replace(framed, unframed)
    .replace(/[\u0085\u2028\u2029]/g, ' ')
    .normalize('NFC')

/** Extended Latin, IPA, Greek, Cyrillic, Armenian, Cherokee, Coptic, Lisu and similar scripts. */
const scripts =
  '\\u00d8-\\u02af\\u0370-\\u058f\\u13a0-\\u13ff\\u1d00-\\u1dbf\\u2c80-\\u2cff\\ua4d0-\\ua4ff\\ua640-\\ua69f\\ua720-\\ua7ff\\uab30-\\uabbf'
const lookAlike = new RegExp(`[${scripts}]`)
const word = new RegExp(`[a-zA-Z0-9${scripts}]+`, 'g')

const isLatin = (sign = '') => /[a-zA-Z]/.test(sign)
const apostrophe = /^[‘ʼ‛′´＇]$/

/**
 * Replaces letters and signs of any script beside a Latin letter by the letter that they resemble.
 */
function lettersOfRun(run: string, at: number, text: string): string {
  const plain = withoutMarks(run)
  const [before, after] = [isLatin(text[at - 1]), isLatin(text[at + run.length])]
  if (before && after && apostrophe.test(plain)) return '’'
  const isInWord = (before || after) && plain.length <= 4
  return isInWord ? Array.from(plain, latinLetter).join('') : plain
}

/** Confusable characters and their Latin letters. Lookups in UTS 39 are cached here. */
const latin = new Map<string, string>()
for (const [sign, letter] of [...confusableLetters, ...disguises, ...smallCapitals]) {
  for (const one of [sign, sign.toUpperCase()]) latin.set(one, letter)
}

/** Converts a word of mixed scripts, or of look-alikes only. Other words stay unchanged. */
function latinWord(written: string): string {
  if (!lookAlike.test(written)) return written
  const folded = Array.from(written, latinLetter).join('')
  return /[a-zA-Z]/.test(written) || !lookAlike.test(folded) ? folded : written
}

function latinLetter(letter: string): string {
  if (letter < '\u0080') return letter
  let found = latin.get(letter)
  if (found === undefined) {
    const twin = confusables(letter)
    found = /^[a-zA-Z]$/.test(twin) ? twin : letter
    latin.set(letter, found)
  }
  return found
}
