import { hiddenRanges } from './hidden-characters.ts'

const classes = hiddenRanges.map(
  ([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`,
)
const suspect = new RegExp(`[${classes.join('')}]`, 'u')

/** Scripts whose letters join, where a joiner decides how a word is written. */
const joining =
  '\\u0600-\\u07ff\\u0840-\\u0fff\\u1000-\\u109f\\u1780-\\u18af\\u1a20-\\u1aaf\\u1b00-\\u1bff\\ua840-\\uaaff\\ufb50-\\ufdff\\u{10a00}-\\u{10bff}\\u{10d00}-\\u{10d3f}\\u{11000}-\\u{11fff}\\u{1e900}-\\u{1e95f}'

/** What of these is seen, or needed to write a word or an emoji. */
const needed = new RegExp(
  [
    // Signs of Arabic and Syriac numbers.
    '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2]',
    // The space between words of Braille.
    '(?<=[\\u2801-\\u28ff])\\u2800(?=[\\u2801-\\u28ff])',
    // Between letters of such a script, and after a mark, as at the end of a word in Indic scripts.
    `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])`,
    `(?<=(?=\\p{M})[${joining}])[\\u200c\\u200d](?![\\u200c\\u200d])`,
    // Between the signs of an emoji: a family, a heart on fire.
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
    // Emoji or text style of a sign, and of the digit of a keycap.
    '(?<=\\p{Emoji})(?<![0-9#*])[\\ufe0e\\ufe0f]',
    '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
    // Forms of Han, Mongolian, Myanmar and mathematical signs.
    '(?<=\\p{sc=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
    '(?<=[\\u1820-\\u18aa])[\\u180b-\\u180f]',
    '(?<=[\\u1000-\\u109f\\uaa60-\\uaa7f]|\\p{Sm})\\ufe00',
    // The flags of England, Scotland and Wales, the only tag sequences for interchange (UTS 51).
    '(?<=\\u{1f3f4})\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
  ].join('|'),
  'gu',
)

const suspects = new RegExp(suspect, 'gu')

/**
 * A text with each hidden character replaced: control, bidi, tag, default-ignorable, private ones and
 * line ends, but not the joiners and variation selectors that scripts and emoji need.
 */
export function replaceHidden(text: string, replace: (character: string) => string): string {
  if (!suspect.test(text)) return text
  let result = ''
  let last = 0
  for (const { 0: kept, index } of text.matchAll(needed)) {
    result += text.slice(last, index).replace(suspects, replace) + kept
    last = index + kept.length
  }
  return result + text.slice(last).replace(suspects, replace)
}

/** Whether the hidden characters at an index are those that the word or emoji around them needs. */
export function isNeededHidden(text: string, index: number, length: number): boolean {
  const around = text.slice(Math.max(0, index - 4), index + length + 2)
  const start = Math.min(index, 4)
  let end = start
  for (const { 0: kept, index: at } of around.matchAll(needed)) if (at === end) end += kept.length
  return end === start + length
}

/** The first hidden character of a text, if there is one. */
export function findHidden(text: string): string | undefined {
  let first: string | undefined
  replaceHidden(text, (character) => {
    first ??= character
    return ''
  })
  return first
}

/** The number of a character: `U+202E`. */
export const codePointOf = (character: string): string => {
  const point = character.codePointAt(0) ?? 0
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Number and name of a hidden character: `U+202E RIGHT-TO-LEFT OVERRIDE`. */
export function describeHidden(character: string): string {
  const point = character.codePointAt(0) ?? 0
  const name = hiddenRanges.find(([first, last]) => point >= first && point <= last)?.[2]
  return `${codePointOf(character)} ${name ?? 'invisible character'}`
}
