import { registryContract } from '@skillpass/contract'
import { forRequest } from '../../audit/for-request.ts'
import type { RegistryContext } from '../../discovery/context.ts'
import { created, ok, router } from '../../http/handlers.ts'
import { serializeList } from '../../http/serialize.ts'
import { serializeVerification } from '../serialize/verifications.ts'
import { checkVerification, createVerification, listVerifications } from '../verifications.ts'
import { callerOf } from './authenticate.ts'

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
