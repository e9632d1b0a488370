/** One slash and then printable ASCII without a backslash: what every browser reads as a path. */
const localPath = /^\/(?![/\\])[!-[\]-~]*$/

/**
 * The address of ours that a person wanted before signing in. What leads elsewhere, or may be read
 * so by some browser or proxy, gives the default.
 */
export function readReturnTo(text: string, byDefault = '/my/apps'): string {
  const [path = ''] = text.split(/[?#]/)
  if (!localPath.test(text) || !localPath.test(decoded(path))) return byDefault
  return new URL(text, 'http://own.invalid').pathname.startsWith('//') ? byDefault : text
}

/** Longest address, characters, that is encoded: many clients take no more than 16 KiB of headers. */
const longest = 8000

/** Address of the sign-in page that leads back to a path, which is given as the request line has it. */
export function signInPath(path: string): string {
  const ascii = asciiPath(path)
  const encoded = encodeURIComponent(ascii)
  return `/sign-in?return_to=${encoded.length > longest ? ascii : encoded}`
}

/** The path to return to, from the query of the sign-in page: encoded, or all that follows a bare slash. */
export function returnToOf(query: string): string {
  const [, bare] = /^return_to=(\/.*)$/s.exec(query) ?? []
  return readReturnTo(bare ?? new URLSearchParams(query).get('return_to') ?? '')
}

/** A path as the request line has it, in ASCII: `state` comes back to the byte. */
export const asciiPath = (path: string): string => path.replace(/[^!-~]/g, encodeByte)

/** Node gives each byte beyond ASCII as a character of its own. */
const encodeByte = (char: string) =>
  `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
