import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import type { AgentRecord } from '../store/registry/agents.ts'
import { type KeyHolder, lockKeyHolder } from '../store/registry/api-keys.ts'

/**
 * Rechecks the caller of a write, because the key may have been revoked or expired, or the agent
 * blocked, while the body was sent. Every write calls this in its transaction, after taking the
 * lock that serializes it. Returns the current agent. Throws UNAUTHORIZED or FORBIDDEN.
 */
export async function requireLiveCaller(
  ctx: Pick<Context, 'steadyNow'>,
  trx: Db,
  { keyId }: Pick<KeyHolder, 'keyId'>,
): Promise<AgentRecord> {
  const current = await lockKeyHolder(trx, { keyId })
  if (!current || current.revokedAt !== null) fail('UNAUTHORIZED')
  requireUnexpired(ctx, current)
  if (current.blockedReason !== null) failBlocked(current.blockedReason)
  return current
}

export function requireUnexpired(
  ctx: Pick<Context, 'steadyNow'>,
  key: Pick<KeyHolder, 'expiresAt'>,
): void {
  if (hasExpired(ctx, key)) fail('UNAUTHORIZED', 'This API key has expired. Use another one.')
}

export const hasExpired = (
  { steadyNow }: Pick<Context, 'steadyNow'>,
  { expiresAt }: Pick<KeyHolder, 'expiresAt'>,
): boolean => expiresAt !== null && expiresAt <= steadyNow()

export function failBlocked(reason: string): never {
  fail('FORBIDDEN', `The operator has blocked this agent. Reason: ${reason}`)
}
