import { decodeHTML } from 'entities'

/** Numeric references, as a browser takes them, also where the semicolon is missing. */
const reference = /&(?:#\d{1,7};?|#x[\da-f]{1,6};?|[a-z][a-z\d]{1,31};)/gi

/** A text with the characters that its references stand for; a line stays a line. */
export const decodedEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(reference, (found) => decodeHTML(found).replace(/[\n\r]/g, ' '))
    : text
