import { registryContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import type { Context } from '../../context.ts'
import { created, ok } from '../../http/answers.ts'
import { callerOf } from '../../http/caller.ts'
import { getAgent, getOwnProfile, registerAgent } from '../agents.ts'

const s = initServer()

export const agentsRoutes = (ctx: Context) =>
  s.router(registryContract.agents, {
    register: async ({ body }) => created({ data: await registerAgent(ctx, body) }),
    me: async ({ res }) => ok({ data: await getOwnProfile(ctx, callerOf(res)) }),
    get: async ({ params }) => ok({ data: await getAgent(ctx, params.id) }),
  })
