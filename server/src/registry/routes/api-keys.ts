import { registryContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import { from } from '../../audit/origin.ts'
import { created, ok } from '../../http/answers.ts'
import { createApiKey, listApiKeys, revokeAllApiKeys, revokeApiKey } from '../api-keys.ts'
import type { RegistryContext } from '../context.ts'
import { callerOf } from './authenticate.ts'

const s = initServer()

export const apiKeysRoutes = (ctx: RegistryContext) =>
  s.router(registryContract.apiKeys, {
    list: async ({ res }) => ok(await listApiKeys(ctx, callerOf(res))),
    create: async ({ body, req, res }) =>
      created({ data: await createApiKey(from(ctx, req), callerOf(res), body) }),
    revokeAll: async ({ query, req, res }) => {
      const includeCurrent = query.includeCurrent === 'true'
      return ok(await revokeAllApiKeys(from(ctx, req), callerOf(res), { includeCurrent }))
    },
    revoke: async ({ params, query, req, res }) => {
      const options = { keepChildren: query.keepChildren === 'true' }
      return ok({ data: await revokeApiKey(from(ctx, req), callerOf(res), params.id, options) })
    },
  })
