import { registryContract } from '@skillpass/contract'
import { forRequest } from '../../audit/for-request.ts'
import type { RegistryContext } from '../../discovery/context.ts'
import { created, ok, router } from '../../http/handlers.ts'
import { countSuccess } from '../../http/rate-limit.ts'
import { clientNetwork } from '../../limits/client-address.ts'
import { getAgent, getProfile, registerAgent } from '../agents.ts'
import { serializeAgent, serializeIdentity, serializeProfile } from '../serialize/agents.ts'
import { setSigningKey } from '../signing-keys.ts'
import { callerOf } from './authenticate.ts'

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
