import { createHash } from 'node:crypto'
import { equalSecrets } from '../secrets.ts'
import type { ChallengeMethod } from './store/authorization-codes.ts'

/** Proof Key for Code Exchange (RFC 7636). */
export interface Challenge {
  readonly codeChallenge: string | null
  readonly codeChallengeMethod: ChallengeMethod | null
}

/** A SHA-256 in base64url, or for `plain` a verifier (RFC 7636 §4.2). */
const forms: Record<ChallengeMethod, RegExp> = {
  S256: /^[\w-]{43}$/,
  plain: /^[\x21-\x7e]{43,128}$/,
}

/** Whether a text can be a challenge of the method. */
export const isChallenge = (text: string, method: ChallengeMethod): boolean =>
  forms[method].test(text)

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
