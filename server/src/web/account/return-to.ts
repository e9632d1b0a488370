/** One slash, then printable ASCII without a backslash: every browser reads this as a path. */
const localPath = /^\/(?![/\\])[!-[\]-~]*$/

/**
 * Returns the local path to open after sign-in. Returns the default if a browser or proxy could
 * read the text as an address of another site.
 */
export function readReturnTo(text: string, byDefault = '/my/apps'): string {
  const [path = ''] = text.split(/[?#]/)
  if (!localPath.test(text) || !localPath.test(decoded(path))) return byDefault
  return new URL(text, 'http://own.invalid').pathname.startsWith('//') ? byDefault : text
}

/** Characters above which the address is sent unencoded: many clients accept 16 KiB of headers. */
const longest = 8000

/** Path of the sign-in page that returns to `path`, which is in the form of the request line. */
export const signInPath = (path: string): string => returningTo('/sign-in', path)

export function returningTo(page: string, path: string): string {
  const ascii = asciiPath(path)
  const encoded = encodeURIComponent(ascii)
  return `${page}?return_to=${encoded.length > longest ? ascii : encoded}`
}

/**
 * Reads `return_to` from the query of the sign-in page, encoded or, if it starts with `/`,
 * unencoded.
 */
export function readReturnToQuery(query: string, byDefault?: string): string {
  const [, bare] = /^return_to=(\/.*)$/s.exec(query) ?? []
  return readReturnTo(bare ?? new URLSearchParams(query).get('return_to') ?? '', byDefault)
}

/** Percent-encodes the non-ASCII bytes of a request line, so that `state` returns byte for byte. */
export const asciiPath = (path: string): string => path.replace(/[^!-~]/g, encodeByte)

/** Node decodes the request line as Latin-1, so each non-ASCII character is one byte. */
const encodeByte = (char: string) =>
  `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
