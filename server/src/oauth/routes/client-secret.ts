import { timingSafeEqual } from 'node:crypto'
import type { OAuthClient } from '../../apps/store/clients.ts'
import { hashSecret, type Secret } from '../../secrets/secrets.ts'

/** Compared with where there is no client: no text has a hash like this one. */
const noSecret = '0'.repeat(64)

/** Whether a text is the client's secret, or the former one while that is still good. */
export function isSecretOf(client: OAuthClient | undefined, text: string, now: number): boolean {
  const hash = hashSecret(text as Secret)
  const isCurrent = equalHashes(hash, client?.secretHash ?? noSecret)
  const isOverlap = (client?.previousSecretExpiresAt ?? 0) > now
  const isPrevious = equalHashes(hash, (isOverlap && client?.previousSecretHash) || noSecret)
  return isCurrent || isPrevious
}

/** Equality of hashes in constant time; one of the two is not the caller's to choose. */
const equalHashes = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
