import { registryContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import { from } from '../../audit/origin.ts'
import { created, ok } from '../../http/answers.ts'
import { clientNetwork } from '../../limits/client-address.ts'
import type { RegistryContext } from '../context.ts'
import { publishSkill } from '../publish.ts'
import { resolveTask } from '../resolve.ts'
import { searchSkills, trendingSkills } from '../search.ts'
import { deleteSkill, getSkill, listVersions, skillStats } from '../skills.ts'
import { starSkill, unstarSkill } from '../stars.ts'
import { updateSkill } from '../update.ts'
import { callerOf, findKeyHolder } from './authenticate.ts'
import { tellQuotas } from './quota-headers.ts'

const s = initServer()

export const skillsRoutes = (ctx: RegistryContext) =>
  s.router(registryContract.skills, {
    search: async ({ query }) => ok(await searchSkills(ctx, query)),
    resolve: async ({ query }) => ok(await resolveTask(ctx, query)),
    trending: async ({ query }) => ok(trendingSkills(ctx, query.limit)),
    publish: async ({ body, res }) =>
      created(await publishSkill(ctx, callerOf(res), body, tellQuotas(res))),
    get: async ({ params, req }) =>
      ok({ data: await getSkill(ctx, params.id, () => findKeyHolder(ctx, req)) }),
    update: async ({ params, body, res }) =>
      ok(await updateSkill(ctx, callerOf(res), params.id, body, tellQuotas(res))),
    delete: async ({ params, req, res }) =>
      ok({ data: await deleteSkill(from(ctx, req), callerOf(res), params.id) }),
    stats: async ({ params }) => ok(await skillStats(ctx, params.id)),
    versions: async ({ params }) => ok(await listVersions(ctx, params.id)),
    star: async ({ params, req, res }) =>
      ok({ data: await starSkill(ctx, callerOf(res), params.id, clientNetwork(req)) }),
    unstar: async ({ params, res }) =>
      ok({ data: await unstarSkill(ctx, callerOf(res), params.id) }),
  })
