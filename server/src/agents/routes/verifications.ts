import { registryContract } from '@skillpass/contract'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { created, ok, router, serializeList, serializeTimes } from '../../http/handlers.ts'
import { forRequest } from '../../runtime/context.ts'
import type { VerificationRecord } from '../../store/registry/verifications.ts'
import { callerOf } from '../http.ts'
import { checkVerification, createVerification, listVerifications } from '../verifications.ts'

export const verificationsRoutes = (ctx: RegistryContext) =>
  router(registryContract.verifications, {
    list: async ({ res }) => {
      const claims = await listVerifications(ctx, callerOf(res))
      const now = ctx.clock.now()
      return ok(serializeList(claims.map((claim) => serializeVerification(claim, now))))
    },
    create: async ({ body, req, res }) => {
      const { claim, token } = await createVerification(forRequest(ctx, req), callerOf(res), body)
      return created({ data: { ...serializeVerification(claim, ctx.clock.now()), token } })
    },
    check: async ({ params, req, res }) => {
      const claim = await checkVerification(forRequest(ctx, req), callerOf(res), params.id)
      return ok({ data: serializeVerification(claim, ctx.clock.now()) })
    },
  })

/** Serializes a claim for its agent, with the status at `now` in ms. */
function serializeVerification(
  { tokenHash: _, ...claim }: Omit<VerificationRecord, 'tokenHash'> & { tokenHash?: string },
  now: number,
) {
  const pending = claim.expiresAt > now ? ('pending' as const) : ('expired' as const)
  const status = claim.verifiedAt === null ? pending : ('verified' as const)
  return { ...serializeTimes(claim, ['createdAt', 'expiresAt', 'verifiedAt']), status }
}
