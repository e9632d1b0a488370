import { registryContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import { from } from '../../audit/origin.ts'
import { created, ok } from '../../http/answers.ts'
import type { RegistryContext } from '../context.ts'
import { serializeList } from '../serialize/list.ts'
import { serializeVerification } from '../serialize/verifications.ts'
import {
  checkVerification,
  createVerification,
  listVerifications,
} from '../verification/verifications.ts'
import { callerOf } from './authenticate.ts'

const s = initServer()

export const verificationsRoutes = (ctx: RegistryContext) =>
  s.router(registryContract.verifications, {
    list: async ({ res }) => {
      const claims = await listVerifications(ctx, callerOf(res))
      const now = ctx.clock.now()
      return ok(serializeList(claims.map((claim) => serializeVerification(claim, now))))
    },
    create: async ({ body, res }) => {
      const { claim, token } = await createVerification(ctx, callerOf(res), body)
      return created({ data: { ...serializeVerification(claim, ctx.clock.now()), token } })
    },
    check: async ({ params, req, res }) => {
      const claim = await checkVerification(from(ctx, req), callerOf(res), params.id)
      return ok({ data: serializeVerification(claim, ctx.clock.now()) })
    },
  })
