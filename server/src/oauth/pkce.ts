import { createHash } from 'node:crypto'
import { fail } from '../errors/failure.ts'
import { equalSecrets } from '../secrets/secrets.ts'
import type { ChallengeMethod } from '../store/oauth/authorization-codes.ts'
import type { OAuthClient } from '../store/oauth/clients.ts'
import type { OAuthParameters } from './parameters.ts'

/** Challenge and method of an authorization request. Both are null without PKCE (RFC 7636 §4.3). */
export interface Challenge {
  readonly codeChallenge: string | null
  readonly codeChallengeMethod: ChallengeMethod | null
}

/** Forms of a challenge: a SHA-256 hash in base64url, or a verifier for `plain` (RFC 7636 §4.2). */
const forms: Record<ChallengeMethod, RegExp> = {
  S256: /^[\w-]{43}$/,
  plain: /^[\x21-\x7e]{43,128}$/,
}

export const needsS256 = ({ app }: Pick<OAuthClient, 'app'>): boolean =>
  app.publicClient || app.requireS256

/**
 * Returns the challenge of an authorization request. Throws invalid_request if it is malformed, or
 * if `isStrict` and it is not S256.
 */
export function readChallenge({ values, names }: OAuthParameters, isStrict: boolean): Challenge {
  const codeChallenge = values.get('code_challenge')
  if (codeChallenge === undefined) {
    if (values.has('code_challenge_method'))
      fail('invalid_request', 'code_challenge is required with code_challenge_method.')
    if (isStrict) fail('invalid_request', 'This app must send an S256 code_challenge.')
    return { codeChallenge: null, codeChallengeMethod: null }
  }
  // An empty method is malformed and must not count as `plain`.
  const isNamed = names.has('code_challenge_method')
  const method = isNamed ? values.get('code_challenge_method') : 'plain'
  if (method !== 'S256' && method !== 'plain') {
    fail('invalid_request', 'code_challenge_method must be S256 or plain.')
  }
  if (!forms[method].test(codeChallenge)) {
    fail('invalid_request', 'code_challenge is not valid for its code_challenge_method.')
  }
  if (method === 'plain' && isStrict) {
    fail('invalid_request', 'This app must use code_challenge_method S256.')
  }
  return { codeChallenge, codeChallengeMethod: method }
}

/** Maximum length of a verifier. Other rules of RFC 7636 are not enforced. */
const maxVerifierLength = 256

/**
 * Whether the verifier matches the challenge (RFC 7636 §4.6). A challenge requires a verifier and a
 * verifier requires a challenge; otherwise an attacker could omit either.
 */
export function matchesChallenge(
  { codeChallenge, codeChallengeMethod }: Challenge,
  verifier: string | undefined,
): boolean {
  if (codeChallenge === null || verifier === undefined) {
    return codeChallenge === null && verifier === undefined
  }
  if (verifier.length > maxVerifierLength) return false
  const hashed = createHash('sha256').update(verifier).digest('base64url')
  return equalSecrets(codeChallengeMethod === 'S256' ? hashed : verifier, codeChallenge)
}
