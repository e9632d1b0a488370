import { hiddenRanges } from './hidden-characters.ts'

const classes = hiddenRanges.map(
  ([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`,
)
const suspect = new RegExp(`[${classes.join('')}]`, 'u')

/** Scripts with joining letters, in which joiners affect spelling. */
const joining =
  '\\u0600-\\u07ff\\u0840-\\u0fff\\u1000-\\u109f\\u1780-\\u18af\\u1a20-\\u1aaf\\u1b00-\\u1bff\\ua840-\\uaaff\\ufb50-\\ufdff\\u{10a00}-\\u{10bff}\\u{10d00}-\\u{10d3f}\\u{11000}-\\u{11fff}\\u{1e900}-\\u{1e95f}'

/** Hidden characters that are visible or necessary in their context. */
const needed = new RegExp(
  [
    // Number signs of Arabic and Syriac.
    '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2]',
    // The space between Braille words.
    '(?<=[\\u2801-\\u28ff])\\u2800(?=[\\u2801-\\u28ff])',
    // Joiners between letters of a joining script, or after a mark, for example at the end of an
    // Indic word.
    `(?<=[${joining}])[\\u200c\\u200d](?=[${joining}])`,
    `(?<=(?=\\p{M})[${joining}])[\\u200c\\u200d](?![\\u200c\\u200d])`,
    // Joiners within an emoji sequence, such as a family.
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})',
    // Emoji or text presentation of a character, and keycap digits.
    '(?<=\\p{Emoji})(?<![0-9#*])[\\ufe0e\\ufe0f]',
    '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
    // Variants of Han, Mongolian, Myanmar and mathematical characters.
    '(?<=\\p{sc=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
    '(?<=[\\u1820-\\u18aa])[\\u180b-\\u180f]',
    '(?<=[\\u1000-\\u109f\\uaa60-\\uaa7f]|\\p{Sm})\\ufe00',
    // Flags of England, Scotland and Wales, the only tag sequences recommended for interchange (UTS
    // 51).
    '(?<=\\u{1f3f4})\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
  ].join('|'),
  'gu',
)

const suspects = new RegExp(suspect, 'gu')

/**
 * Replaces each hidden character of a text, including line ends and tabs. Keeps joiners and
 * variation selectors that scripts and emoji need.
 */
export function replaceHidden(text: string, replace: (character: string) => string): string {
  if (!suspect.test(text)) return text
  let result = ''
  let last = 0
  for (const { 0: match, index } of text.matchAll(needed)) {
    result += text.slice(last, index).replace(suspects, replace) + match
    last = index + match.length
  }
  return result + text.slice(last).replace(suspects, replace)
}

/** Whether the word or emoji around the hidden characters at an index needs them. */
export function isNeededHidden(text: string, index: number, length: number): boolean {
  const around = text.slice(Math.max(0, index - 4), index + length + 2)
  const start = Math.min(index, 4)
  let end = start
  for (const { 0: match, index: at } of around.matchAll(needed)) if (at === end) end += match.length
  return end === start + length
}

/** Returns the first hidden character of a text, if any. */
export function findHidden(text: string): string | undefined {
  let first: string | undefined
  replaceHidden(text, (character) => {
    first ??= character
    return ''
  })
  return first
}

/** Formats the code point of a character: `U+202E`. */
export const formatCodePoint = (character: string): string => {
  const point = character.codePointAt(0) ?? 0
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Formats code point and name of a hidden character: `U+202E RIGHT-TO-LEFT OVERRIDE`. */
export function describeHidden(character: string): string {
  const point = character.codePointAt(0) ?? 0
  const name = hiddenRanges.find(([first, last]) => point >= first && point <= last)?.[2]
  return `${formatCodePoint(character)} ${name ?? 'invisible character'}`
}
