const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/**
 * Returns 256 random bits in 43 characters of `[A-Za-z0-9_-]`: a PKCE verifier (RFC 7636 §4.1) or a
 * state.
 */
export const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

/** Returns the S256 challenge of a verifier (RFC 7636 §4.2). */
export async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return base64url(new Uint8Array(hash))
}
