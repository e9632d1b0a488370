import { registryContract } from '@skillpass/contract'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { created, ok, router } from '../../http/handlers.ts'
import { countSuccess } from '../../http/rate-limit.ts'
import { forRequest } from '../../runtime/context.ts'
import { clientNetwork } from '../../runtime/limits/client-address.ts'
import { getAgent, getProfile, registerAgent } from '../agents.ts'
import { callerOf } from '../http.ts'
import { serializeAgent, serializeIdentity, serializeProfile } from '../serialize.ts'
import { setSigningKey } from '../signing-keys.ts'

export const agentsRoutes = (ctx: RegistryContext) =>
  router(registryContract.agents, {
    register: async ({ body, req, res }) => {
      const { apiKey, ...agent } = await countSuccess(ctx, req, res, () =>
        registerAgent(forRequest(ctx, req), body, clientNetwork(req)),
      )
      return created({ data: { ...serializeIdentity(agent), apiKey } })
    },
    me: async ({ res }) => ok({ data: serializeProfile(await getProfile(ctx, callerOf(res))) }),
    setSigningKey: async ({ body, req, res }) =>
      ok({ data: await setSigningKey(forRequest(ctx, req), callerOf(res), body) }),
    get: async ({ params }) => ok({ data: serializeAgent(ctx, await getAgent(ctx, params.id)) }),
  })
