import { equalSecrets, hashSecret, type Secret } from '../secrets.ts'
import type { Client } from './store/clients.ts'

/** Compared with where there is no client: its text has no hash like this one. */
const noSecret = '0'.repeat(64)

/** Whether a text is the client's secret, or the former one while that is still good. */
export function isSecretOf(client: Client | undefined, text: string, now: number): boolean {
  const hash = hashSecret(text as Secret)
  const isCurrent = equalSecrets(hash, client?.secretHash ?? noSecret)
  const previous =
    client !== undefined && (client.previousSecretExpiresAt ?? 0) > now
      ? client.previousSecretHash
      : null
  const isPrevious = equalSecrets(hash, previous ?? noSecret)
  return isCurrent || isPrevious
}
