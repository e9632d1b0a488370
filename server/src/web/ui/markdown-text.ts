import { visibleLine } from '@skillpass/contract'

/** Text of others within a line of markdown: it stays text, and on its line. */
export const inline = (text: string): string =>
  visibleLine(text)
    .trim()
    .replace(/[\\`*_[\]<>&~|]/g, '\\$&')

export const fullStop = (text: string): string => `${inline(text)}${/[.?!]$/.test(text) ? '' : '.'}`

/** A link; the text is of others. */
export const link = (text: string, url: string): string =>
  `[${inline(text)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`

/** Blocks with an empty line between, those that are absent left out. */
export const blocks = (...parts: readonly (string | false | undefined)[]): string =>
  `${parts.filter((part) => part).join('\n\n')}\n`
