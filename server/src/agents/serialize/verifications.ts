import { serializeTimes } from '../../http/serialize.ts'
import type { VerificationRecord } from '../store/verifications.ts'

/** Serializes a claim for its agent, with the status at `now` in ms. */
export function serializeVerification(
  { tokenHash: _, ...claim }: Omit<VerificationRecord, 'tokenHash'> & { tokenHash?: string },
  now: number,
) {
  const pending = claim.expiresAt > now ? ('pending' as const) : ('expired' as const)
  const status = claim.verifiedAt === null ? pending : ('verified' as const)
  return { ...serializeTimes(claim, ['createdAt', 'expiresAt', 'verifiedAt']), status }
}
