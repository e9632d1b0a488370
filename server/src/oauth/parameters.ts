import { bounds } from '@skillpass/contract'
import { fail } from '../errors/failure.ts'

export interface OAuthParameters {
  /** Parameters with a value; an empty one counts as absent (RFC 6749 §3.1). */
  readonly values: ReadonlyMap<string, string>
  /** Names of all that were there, empty ones too. */
  readonly names: ReadonlySet<string>
  /** Names that came more than once, or in the notation of arrays. */
  readonly repeated: ReadonlySet<string>
}

/** Reads `application/x-www-form-urlencoded` texts, a query and a body, as one list. */
export function readParameters(...texts: string[]): OAuthParameters {
  const values = new Map<string, string>()
  const names = new Set<string>()
  const repeated = new Set<string>()
  let count = 0
  for (const text of texts) {
    // Behind the &, a ? that stands first is part of a name as anywhere else.
    for (const [written, value] of new URLSearchParams(`&${text}`)) {
      if (++count > bounds.formParameters)
        fail('invalid_request', `There are more than ${bounds.formParameters} parameters.`)
      const name = written.replace(/\[.*$/s, '')
      if (names.has(name) || name !== written) repeated.add(name)
      names.add(name)
      // Postgres refuses NUL, and no parameter has a use for it.
      if (value.includes('\0')) fail('invalid_request', 'A parameter must not hold NUL.')
      if (value !== '') values.set(name, value)
    }
  }
  return { values, names, repeated }
}

/**
 * The value of a parameter, percent-encoded in one spelling that stands for the same bytes: `state`
 * goes back as it came, even where it is no UTF-8.
 */
export function encodedParameter(query: string, name: string): string | undefined {
  for (const pair of query.split('&')) {
    const [key = '', ...rest] = pair.split('=')
    if (new URLSearchParams(`&${key}`).has(name)) return encodeBytes(rest.join('='))
  }
  return undefined
}

/** The name of a parameter for a message; one that somebody made up is not repeated. */
export const shownName = (name: string): string =>
  /^[a-z_]{1,40}$/.test(name) ? name : 'A parameter'

const encodeBytes = (written: string): string =>
  written.replace(/%([0-9a-f]{2})|[\s\S]/gi, (char, hex: string | undefined) => {
    const byte = hex === undefined ? (char === '+' ? 0x20 : char.charCodeAt(0)) : parseInt(hex, 16)
    const plain = String.fromCharCode(byte)
    if (/[\w.~-]/.test(plain)) return plain
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  })

/** Length in bytes of what is percent-encoded. */
export const encodedLength = (encoded: string): number => encoded.replace(/%../g, '.').length
