/** Secret token of an app, or several tokens during a rotation. */
export type SecretToken = string | readonly string[]

/**
 * Returns the secret tokens. Throws TypeError if one is empty, for example from an unset variable.
 */
export function secretTokensOf(secretToken: SecretToken): readonly string[] {
  const tokens = typeof secretToken === 'string' ? [secretToken] : secretToken
  if (tokens.length > 0 && tokens.every((token) => typeof token === 'string' && token !== '')) {
    return tokens
  }
  throw new TypeError('secretToken must be the secret token of the app, or a list of tokens.')
}

/**
 * Returns the HMAC-SHA256 of the concatenated parts, keyed with the UTF-8 bytes of a secret token.
 */
export async function hmac(
  secretToken: string,
  ...parts: (string | Uint8Array<ArrayBuffer>)[]
): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const secret = new TextEncoder().encode(secretToken)
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  const text = await new Blob(parts).arrayBuffer()
  return new Uint8Array(await crypto.subtle.sign(algorithm, key, text))
}

/** Returns lower-case hexadecimal. */
export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Returns Base64 with padding (RFC 4648 §4). */
export const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Compares two strings in constant time. */
export function isEqual(expected: string, actual: string): boolean {
  let difference = expected.length ^ actual.length
  for (let i = 0; i < expected.length; i++) {
    difference |= expected.charCodeAt(i) ^ actual.charCodeAt(i)
  }
  return difference === 0
}
