import { decodeHTML } from 'entities'
import confusables from 'unhomoglyph'
import { disguises, smallCapitals } from '../../names/confusables.ts'
import { holdsHidden, unusualIn, withoutHidden } from './hidden-text.ts'

/**
 * Returns a text as a model reads it, in lower case. Undoes disguises that hide words from a search
 * but not from a reader: full-width and mathematical letters (NFKC), letters that look Latin, HTML
 * entities, hidden characters, and empty quotes within words, as in `c''url`. The time is linear,
 * and the number of lines stays the same.
 *
 * @param unusual the characters of `original` outside printable ASCII
 */
export function plainText(original: string, unusual: string): string {
  let [text, odd] = [original, unusual]
  // As in browsers, numeric references work without a semicolon.
  if (text.includes('&')) {
    text = text.replace(/&(?:#\d{1,7};?|#x[\da-f]{1,6};?|[a-z][a-z\d]{1,31};)/gi, (found) =>
      decodeHTML(found).replace(/[\n\r]/g, ' '),
    )
    odd = unusualIn(text)
  }
  if (odd !== '') {
    if (holdsHidden(odd)) text = withoutHidden(text)
    text = withLatinLetters(text, odd)
  }
  if (text.includes("''") || text.includes('""') || text.includes('\\')) {
    text = text.replace(emptyQuotes, '')
  }
  return text.toLowerCase()
}

/** Compatibility forms of letters, which NFKC normalizes, and unusual spaces. */
const compatible =
  /[\u00a0\u2000-\u200a\u202f\u205f\u3000\u2100-\u214f\u2460-\u24ff\uff01-\uff5e\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f189}]+/gu
/** Extended Latin, IPA, Greek, Cyrillic, Armenian, Cherokee, Coptic, Lisu and similar scripts. */
const odd =
  '\\u0180-\\u02af\\u0370-\\u058f\\u13a0-\\u13ff\\u1d00-\\u1dbf\\u2c80-\\u2cff\\ua4d0-\\ua4ff\\ua640-\\ua69f\\ua720-\\ua7ff\\uab30-\\uabbf'
const hasOdd = new RegExp(`[${odd}]`)
const oddWord = new RegExp(
  `(?<![a-zA-Z0-9${odd}])[a-zA-Z0-9]{0,40}[${odd}][a-zA-Z0-9${odd}]{0,40}(?![a-zA-Z0-9${odd}])`,
  'g',
)

function withLatinLetters(text: string, odd: string): string {
  let plain = text
  if (odd.search(compatible) >= 0) {
    plain = plain.replace(compatible, (letters) => letters.normalize('NFKC'))
  }
  return hasOdd.test(odd) || plain !== text ? plain.replace(oddWord, latinWord) : plain
}

/** Confusable characters and their Latin letters. Lookups in UTS 39 are cached here. */
const alike = new Map<string, string>()
for (const [sign, letter] of [...disguises, ...smallCapitals]) {
  for (const one of [sign, sign.toUpperCase()]) alike.set(one, letter)
}

/** Converts a word of mixed scripts to Latin. Words of other scripts stay unchanged. */
const latinWord = (written: string): string =>
  /[a-zA-Z]/.test(written) ? Array.from(written, latinLetter).join('') : written

function latinLetter(letter: string): string {
  if (letter < '\u0080') return letter
  let latin = alike.get(letter)
  if (latin === undefined) {
    const found = confusables(letter)
    latin = /^[a-zA-Z]$/.test(found) ? found : letter
    alike.set(letter, latin)
  }
  return latin
}

const emptyQuotes = /(?:''|""|\\)(?<=[a-zA-Z](?:''|""|\\))(?=[a-zA-Z])/g
