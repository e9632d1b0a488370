import { registryContract } from '@skillpass/contract'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { created, ok, router, serializeList, serializeTimes } from '../../http/handlers.ts'
import { forRequest } from '../../runtime/context.ts'
import { createApiKey, listApiKeys, revokeAllApiKeys, revokeApiKey } from '../api-keys.ts'
import { callerOf } from '../http.ts'

export const apiKeysRoutes = (ctx: RegistryContext) =>
  router(registryContract.apiKeys, {
    list: async ({ res }) => {
      const keys = await listApiKeys(ctx, callerOf(res))
      const times = ['createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt'] as const
      return ok(
        serializeList(
          keys.map((key) => ({
            ...serializeTimes(key, times),
            isRegistration: key.isRegistration === 1,
          })),
        ),
      )
    },
    create: async ({ body, req, res }) => {
      const key = await createApiKey(forRequest(ctx, req), callerOf(res), body)
      return created({
        data: { ...serializeTimes(key, ['createdAt', 'expiresAt']), isRegistration: false },
      })
    },
    revokeAll: async ({ req, res }) =>
      ok(serializeList(await revokeAllApiKeys(forRequest(ctx, req), callerOf(res)))),
    revoke: async ({ params, query, req, res }) =>
      ok({
        data: await revokeApiKey(forRequest(ctx, req), callerOf(res), params.id, query.others),
      }),
  })
