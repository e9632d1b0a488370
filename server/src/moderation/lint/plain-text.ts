import { decodeHTML } from 'entities'
import confusables from 'unhomoglyph'
import { disguises, smallCapitals } from '../../names/look-alikes.ts'
import { holdsHidden, unusualIn, withoutHidden } from './hidden-text.ts'

/**
 * A text as a model reads it, in lower case. Undoes what hides words from a search and not from a
 * reader: full-width and mathematical letters (NFKC), letters of other scripts that look Latin, HTML
 * entities, hidden characters, and empty quotes within words, as in `c''url`.
 * Takes time linear in the text, and keeps its number of lines.
 *
 * @param unusual what of the text is no printable ASCII
 */
export function plainText(original: string, unusual: string): string {
  let [text, odd] = [original, unusual]
  // Numeric references count without their semicolon, too, as in a browser.
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

/** Letters in forms that NFKC takes back, and spaces of other widths. */
const compatible =
  /[\u00a0\u2000-\u200a\u202f\u205f\u3000\u2100-\u214f\u2460-\u24ff\uff01-\uff5e\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f189}]+/gu
/** Latin beyond the accents, IPA, Greek, Cyrillic, Armenian, Cherokee, Coptic, Lisu and their like. */
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

/** Latin letters by what passes for them, small or capital; letters that UTS 39 knows are added when met. */
const alike = new Map<string, string>()
for (const [sign, letter] of [...disguises, ...smallCapitals]) {
  for (const one of [sign, sign.toUpperCase()]) alike.set(one, letter)
}

/** A word in Latin if it mixes scripts; words of other scripts stay. */
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
