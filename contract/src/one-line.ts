const breaks = /[\t\n\r]+/g

/** Replaces each run of line breaks and tabs by a space. */
export const onOneLine = (value: string): string => value.replace(breaks, ' ')
