import type { Context } from '../context/context.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { AgentRecord } from './store/agents.ts'
import { holdStanding, type KeyHolder } from './store/api-keys.ts'

/**
 * Ends a write whose key was revoked or has expired, or whose agent was blocked, since it was let in: a
 * body may be held back meanwhile. Every write calls it within its transaction, after the lock that orders
 * it. Throws UNAUTHORIZED or FORBIDDEN, as the request would be refused now;
 * otherwise gives the agent as it is.
 */
export async function refuseEnded(
  ctx: Pick<Context, 'steadyNow'>,
  trx: Db,
  { keyId }: Pick<KeyHolder, 'keyId'>,
): Promise<AgentRecord> {
  const standing = await holdStanding(trx, { keyId })
  if (!standing || standing.revokedAt !== null) fail('UNAUTHORIZED')
  refuseExpired(ctx, standing)
  if (standing.blockedReason !== null) failBlocked(standing.blockedReason)
  return standing
}

export function refuseExpired(
  ctx: Pick<Context, 'steadyNow'>,
  key: Pick<KeyHolder, 'expiresAt'>,
): void {
  if (hasExpired(ctx, key)) fail('UNAUTHORIZED', 'This API key has expired; use another.')
}

export const hasExpired = (
  { steadyNow }: Pick<Context, 'steadyNow'>,
  { expiresAt }: Pick<KeyHolder, 'expiresAt'>,
): boolean => expiresAt !== null && expiresAt <= steadyNow()

export function failBlocked(reason: string): never {
  fail('FORBIDDEN', `The operator has blocked this agent. Reason: ${reason}`)
}
