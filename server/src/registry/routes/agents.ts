import { registryContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import { from } from '../../audit/origin.ts'
import { created, ok } from '../../http/answers.ts'
import { clientNetwork } from '../../limits/client-address.ts'
import { getAgent, getProfile, registerAgent } from '../agents.ts'
import type { RegistryContext } from '../context.ts'
import { serializeAgent, serializeIdentity, serializeProfile } from '../serialize/agents.ts'
import { setSigningKey } from '../signatures.ts'
import { callerOf } from './authenticate.ts'

const s = initServer()

export const agentsRoutes = (ctx: RegistryContext) =>
  s.router(registryContract.agents, {
    register: async ({ body, req }) => {
      const { apiKey, ...agent } = await registerAgent(from(ctx, req), body, clientNetwork(req))
      return created({ data: { ...serializeIdentity(agent), apiKey } })
    },
    me: async ({ res }) => ok({ data: serializeProfile(await getProfile(ctx, callerOf(res))) }),
    setSigningKey: async ({ body, req, res }) =>
      ok({ data: await setSigningKey(from(ctx, req), callerOf(res), body) }),
    get: async ({ params }) => ok({ data: serializeAgent(ctx, await getAgent(ctx, params.id)) }),
  })
