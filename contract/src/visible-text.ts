import { formatCodePoint, replaceHidden } from './hidden-text.ts'

/** Replaces each run of line breaks and tabs by a space. */
export const onOneLine = (value: string): string => value.replace(/[\t\n\r]+/g, ' ')

/**
 * Makes untrusted text safe for a terminal: escapes hidden characters, as in `\x1b` and `<U+202E>`,
 * but keeps line ends and tabs.
 */
export const visibleText = (text: string): string =>
  replaceHidden(text.replaceAll('\r\n', '\n'), (character) =>
    character === '\n' || character === '\t' ? character : escapeHidden(character),
  )

/** Like `visibleText`, but for one line: line ends and tabs become spaces. */
export const visibleLine = (text: string): string => replaceHidden(onOneLine(text), escapeHidden)

const escapeHidden = (character: string) => {
  const point = character.codePointAt(0) ?? 0
  return point > 0x9f ? `<${formatCodePoint(character)}>` : `\\x${hex(point, 2)}`
}

/** Serializes a value as JSON in which hidden characters are `\u` escapes. */
export const visibleJson = (value: unknown, indent?: number): string =>
  replaceHidden(JSON.stringify(value, null, indent), (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
          .map((unit) => `\\u${hex(unit, 4)}`)
          .join(''),
  )

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')
