import { registryContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import { from } from '../../audit/origin.ts'
import { created, ok } from '../../http/answers.ts'
import type { RegistryContext } from '../context.ts'
import {
  checkVerification,
  createVerification,
  listVerifications,
} from '../verification/verifications.ts'
import { callerOf } from './authenticate.ts'

const s = initServer()

export const verificationsRoutes = (ctx: RegistryContext) =>
  s.router(registryContract.verifications, {
    list: async ({ res }) => ok(await listVerifications(ctx, callerOf(res))),
    create: async ({ body, res }) =>
      created({ data: await createVerification(ctx, callerOf(res), body) }),
    check: async ({ params, req, res }) =>
      ok({ data: await checkVerification(from(ctx, req), callerOf(res), params.id) }),
  })
