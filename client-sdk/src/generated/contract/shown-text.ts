// Generated from the contract by `npm run generate`: change that, not this file.

import { codePointOf, replaceHidden } from './hidden-text.ts'
import { onOneLine } from './one-line.ts'

/**
 * Text of others, fit for a terminal: what could move the cursor, colour or turn what stands there is
 * written out, as `\x1b` and `<U+202E>`. Line ends and tabs stay.
 */
export const shownText = (text: string): string =>
  replaceHidden(text.replaceAll('\r\n', '\n'), (character) =>
    character === '\n' || character === '\t' ? character : writtenOut(character),
  )

/** Text of one line as a screen may show it: line ends and tabs become spaces. */
export const shownLine = (text: string): string => replaceHidden(onOneLine(text), writtenOut)

const writtenOut = (character: string) => {
  const point = character.codePointAt(0) ?? 0
  return point > 0x9f ? `<${codePointOf(character)}>` : `\\x${hex(point, 2)}`
}

/** JSON, indented by `indent`, whose hidden characters are escapes, so that its value is the same. */
export const shownJson = (value: unknown, indent?: number): string =>
  replaceHidden(JSON.stringify(value, null, indent), (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
          .map((unit) => `\\u${hex(unit, 4)}`)
          .join(''),
  )

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')
