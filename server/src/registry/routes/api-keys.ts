import { registryContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import type { Context } from '../../context.ts'
import { created, ok } from '../../http/answers.ts'
import { callerOf } from '../../http/caller.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../api-keys.ts'

const s = initServer()

export const apiKeysRoutes = (ctx: Context) =>
  s.router(registryContract.apiKeys, {
    list: async ({ res }) => ok(await listApiKeys(ctx, callerOf(res))),
    create: async ({ body, res }) =>
      created({ data: await createApiKey(ctx, callerOf(res), body.name) }),
    revoke: async ({ params, res }) =>
      ok({ data: await revokeApiKey(ctx, callerOf(res), params.id) }),
  })
