// Generated from the contract by `npm run generate`: change that, not this file.

/** Line breaks and tabs of the texts that people write in several lines. */
const breaks = /[\t\n\r]+/g

/** A text of several lines as one: each run of line breaks and tabs becomes a space. */
export const onOneLine = (value: string): string => value.replace(breaks, ' ')
