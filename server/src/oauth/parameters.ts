import { bounds } from '@skillpass/contract'
import { fail } from '../errors/failure.ts'

export interface OAuthParameters {
  /** Parameters with a value. An empty parameter counts as absent (RFC 6749 §3.1). */
  readonly values: ReadonlyMap<string, string>
  /** Names of all parameters, including empty ones. */
  readonly names: ReadonlySet<string>
  /** Names that occur more than once or in array notation (`scope[]`). */
  readonly repeated: ReadonlySet<string>
}

/**
 * Parses `application/x-www-form-urlencoded` texts (a query, a body) as one list. Throws
 * invalid_request for too many parameters and for NUL.
 */
export function readParameters(...texts: string[]): OAuthParameters {
  const values = new Map<string, string>()
  const names = new Set<string>()
  const repeated = new Set<string>()
  let count = 0
  for (const text of texts) {
    // The `&` keeps URLSearchParams from removing a leading `?`, which is part of a name here.
    for (const [rawName, value] of new URLSearchParams(`&${text}`)) {
      if (++count > bounds.formParameters)
        fail('invalid_request', `Send at most ${bounds.formParameters} parameters.`)
      const name = rawName.replace(/\[.*$/s, '')
      if (names.has(name) || name !== rawName) repeated.add(name)
      names.add(name)
      // Postgres cannot store NUL, and no parameter needs it.
      if (value.includes('\0')) fail('invalid_request', 'A parameter must not contain NUL.')
      if (value !== '') values.set(name, value)
    }
  }
  return { values, names, repeated }
}

/**
 * Returns the percent-encoded value of a parameter, in one canonical spelling of the same bytes.
 * `state` is returned unchanged even if it is not UTF-8.
 */
export function encodedParameter(query: string, name: string): string | undefined {
  for (const pair of query.split('&')) {
    const [key = '', ...rest] = pair.split('=')
    if (new URLSearchParams(`&${key}`).has(name)) return encodeBytes(rest.join('='))
  }
  return undefined
}

/** Returns the name of a parameter for a message. Unusual names are not echoed. */
export const shownName = (name: string): string =>
  /^[a-z_]{1,40}$/.test(name) ? name : 'A parameter'

const encodeBytes = (written: string): string =>
  written.replace(/%([0-9a-f]{2})|[\s\S]/gi, (char, hex: string | undefined) => {
    const byte = hex === undefined ? (char === '+' ? 0x20 : char.charCodeAt(0)) : parseInt(hex, 16)
    const plain = String.fromCharCode(byte)
    if (/[\w.~-]/.test(plain)) return plain
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  })

export const encodedLength = (encoded: string): number => encoded.replace(/%../g, '.').length
