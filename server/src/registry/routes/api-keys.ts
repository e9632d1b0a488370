import { registryContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import { from } from '../../audit/origin.ts'
import { created, ok } from '../../http/answers.ts'
import { createApiKey, listApiKeys, revokeAllApiKeys, revokeApiKey } from '../api-keys.ts'
import type { RegistryContext } from '../context.ts'
import { serializeApiKey } from '../serialize/api-keys.ts'
import { serializeList, serializeTimes } from '../serialize/list.ts'
import { callerOf } from './authenticate.ts'

const s = initServer()

export const apiKeysRoutes = (ctx: RegistryContext) =>
  s.router(registryContract.apiKeys, {
    list: async ({ res }) => {
      const keys = await listApiKeys(ctx, callerOf(res))
      return ok(serializeList(keys.map(serializeApiKey)))
    },
    create: async ({ body, req, res }) => {
      const key = await createApiKey(from(ctx, req), callerOf(res), body)
      return created({ data: serializeTimes(key, ['createdAt', 'expiresAt']) })
    },
    revokeAll: async ({ query, req, res }) => {
      const includeCurrent = query.includeCurrent === 'true'
      const revoked = await revokeAllApiKeys(from(ctx, req), callerOf(res), { includeCurrent })
      return ok(serializeList(revoked))
    },
    revoke: async ({ params, query, req, res }) => {
      const options = { keepChildren: query.keepChildren === 'true' }
      return ok({ data: await revokeApiKey(from(ctx, req), callerOf(res), params.id, options) })
    },
  })
