import { createHash } from 'node:crypto'
import type { OAuthClient } from '../apps/store/clients.ts'
import { fail } from '../errors/failure.ts'
import { equalSecrets } from '../secrets/secrets.ts'
import type { OAuthParameters } from './parameters.ts'
import type { ChallengeMethod } from './store/authorization-codes.ts'

/** Challenge and method of an authorization request, both null without PKCE (RFC 7636 §4.3). */
export interface Challenge {
  readonly codeChallenge: string | null
  readonly codeChallengeMethod: ChallengeMethod | null
}

/** A SHA-256 in base64url, or for `plain` a verifier (RFC 7636 §4.2). */
const forms: Record<ChallengeMethod, RegExp> = {
  S256: /^[\w-]{43}$/,
  plain: /^[\x21-\x7e]{43,128}$/,
}

/** Whether an app has to send an S256 challenge: it says so, or has no secret. */
export const needsS256 = ({ app }: Pick<OAuthClient, 'app'>): boolean =>
  app.publicClient || app.requireS256

/**
 * The challenge of an authorization request. Throws invalid_request where it is malformed, or where
 * an app that has to send S256 does not.
 */
export function readChallenge({ values, names }: OAuthParameters, isStrict: boolean): Challenge {
  const codeChallenge = values.get('code_challenge')
  if (codeChallenge === undefined) {
    if (values.has('code_challenge_method'))
      fail('invalid_request', 'code_challenge is required beside code_challenge_method.')
    if (isStrict) fail('invalid_request', 'This app must send an S256 code_challenge.')
    return { codeChallenge: null, codeChallengeMethod: null }
  }
  // An empty method beside a challenge is malformed, and must not pass for plain.
  const isNamed = names.has('code_challenge_method')
  const method = isNamed ? values.get('code_challenge_method') : 'plain'
  if (method !== 'S256' && method !== 'plain') {
    fail('invalid_request', 'code_challenge_method must be S256 or plain.')
  }
  if (!forms[method].test(codeChallenge)) {
    fail('invalid_request', 'code_challenge does not have the form of its method.')
  }
  if (method === 'plain' && isStrict) {
    fail('invalid_request', 'This app must use code_challenge_method S256.')
  }
  return { codeChallenge, codeChallengeMethod: method }
}

/** Longest verifier; shorter and odder ones than the RFC's are in use. */
const longestVerifier = 256

/**
 * Whether the verifier answers the challenge (RFC 7636 §4.6). A challenge needs a verifier, and a
 * verifier a challenge: else an attacker could leave either away.
 */
export function answersChallenge(
  { codeChallenge, codeChallengeMethod }: Challenge,
  verifier: string | undefined,
): boolean {
  if (codeChallenge === null || verifier === undefined) {
    return codeChallenge === null && verifier === undefined
  }
  if (verifier.length > longestVerifier) return false
  const hashed = createHash('sha256').update(verifier).digest('base64url')
  return equalSecrets(codeChallengeMethod === 'S256' ? hashed : verifier, codeChallenge)
}
