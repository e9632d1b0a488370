import { visibleLine } from '@skillpass/contract'

/** Escapes untrusted text for use within a line of markdown. */
export const inline = (text: string): string =>
  visibleLine(text)
    .trim()
    .replace(/[\\`*_[\]<>&~|]/g, '\\$&')

export const fullStop = (text: string): string => `${inline(text)}${/[.?!]$/.test(text) ? '' : '.'}`

/** A markdown link with untrusted text. */
export const link = (text: string, url: string): string =>
  `[${inline(text)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`

/** Turns links to documents into links to their markdown. */
export const linkMarkdown = (text: string): string =>
  text.replace(/\]\([^)#]*\/docs\/[\w/-]+/g, '$&.md')

/** Joins markdown blocks with empty lines, skipping absent ones. */
export const blocks = (...parts: readonly (string | false | undefined)[]): string =>
  `${parts.filter((part) => part).join('\n\n')}\n`
