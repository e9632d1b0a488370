/** One secret token of an app, or several while a receiver changes over from one to the next. */
export type SecretToken = string | readonly string[]

/** The secret tokens, of which there must be one: an unset variable must not pass for a secret. */
export function secretTokensOf(secretToken: SecretToken): readonly string[] {
  const tokens = typeof secretToken === 'string' ? [secretToken] : secretToken
  if (tokens.length > 0 && tokens.every((token) => typeof token === 'string' && token !== '')) {
    return tokens
  }
  throw new TypeError('secretToken must be the secret token of the app, or several; none is empty.')
}

/** HMAC-SHA256 of what the parts make together, under the UTF-8 bytes of a secret token (RFC 2104). */
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

/** Two lower-case digits for each byte. */
export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Base64 with padding (RFC 4648 §4). */
export const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Compares in a time that does not tell how much of a forged signature is right. */
export function isEqual(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length
  for (let i = 0; i < expected.length; i++) {
    difference |= expected.charCodeAt(i) ^ given.charCodeAt(i)
  }
  return difference === 0
}
