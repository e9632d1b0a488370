import confusables from 'unhomoglyph'
import { disguises, smallCapitals } from '../../../names/look-alikes.ts'
import { commandNames } from './command-names.ts'

/** Latin letters by what passes for them, small or capital; letters that UTS 39 knows are added when met. */
const alike = new Map<string, string>()
for (const [sign, letter] of [...disguises, ...smallCapitals]) {
  for (const one of [sign, sign.toUpperCase()]) alike.set(one, letter)
}

/** Latin beyond the accents, IPA, Greek, Cyrillic, Armenian, Cherokee, Coptic, Lisu and their like. */
const odd =
  '\\u0180-\\u02af\\u0370-\\u058f\\u13a0-\\u13ff\\u1d00-\\u1dbf\\u2c80-\\u2cff\\ua4d0-\\ua4ff\\ua640-\\ua69f\\ua720-\\ua7ff\\uab30-\\uabbf'
const hasOdd = new RegExp(`[${odd}]`)
const word = new RegExp(
  `(?<![a-zA-Z0-9${odd}])[a-zA-Z0-9]{0,40}[${odd}][a-zA-Z0-9${odd}]{0,40}(?![a-zA-Z0-9${odd}])`,
  'g',
)
/** A sign that looks like a pipe, before what a pipe would lead to. */
const pipe =
  /[\u00a6\u01c0\u2223\u23d0\u2502\u2503\u2758\uffe8](?=\s{0,3}(?:sudo\s|(?:\/usr)?\/bin\/|(?:ba|z|da|k)?sh\b|python|node\b|perl\b|iex\b|base64\b))/gi

/**
 * Words with letters that only look Latin, in Latin: those that mix them with Latin ones, and those
 * that are a command's name. Other words of other scripts stay.
 */
export function latinWords(text: string): string {
  const plain = hasOdd.test(text) ? text.replace(word, latin) : text
  return /[\u00a6\u01c0\u2223\u23d0\u2502\u2503\u2758\uffe8]/.test(plain)
    ? plain.replace(pipe, '|')
    : plain
}

function latin(written: string): string {
  const isMixed = /[a-zA-Z]/.test(written)
  let result = ''
  for (const letter of written) result += latinLetter(letter)
  return isMixed || commandNames.has(result.toLowerCase()) ? result : written
}

function latinLetter(letter: string): string {
  if (letter < '\u0080') return letter
  const known = alike.get(letter)
  if (known !== undefined) return known
  const found = confusables(letter)
  const latin = /^[a-zA-Z]$/.test(found) ? found : letter
  alike.set(letter, latin)
  return latin
}
