import { registryContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import type { Context } from '../../context.ts'
import { created, ok } from '../../http/answers.ts'
import { callerOf } from '../../http/caller.ts'
import { resolveTask } from '../resolve.ts'
import { searchSkills, trendingSkills } from '../search.ts'
import {
  deleteSkill,
  getSkill,
  listVersions,
  publishSkill,
  skillStats,
  updateSkill,
} from '../skills.ts'
import { starSkill, unstarSkill } from '../stars.ts'

const s = initServer()

export const skillsRoutes = (ctx: Context) =>
  s.router(registryContract.skills, {
    search: async ({ query }) => ok(await searchSkills(ctx, query)),
    resolve: async ({ query }) => ok(await resolveTask(ctx, query)),
    trending: async ({ query }) => ok(trendingSkills(ctx, query.limit)),
    publish: async ({ body, res }) => created(await publishSkill(ctx, callerOf(res), body)),
    get: async ({ params }) => ok({ data: await getSkill(ctx, params.id) }),
    update: async ({ params, body, res }) =>
      ok(await updateSkill(ctx, callerOf(res), params.id, body)),
    delete: async ({ params, res }) =>
      ok({ data: await deleteSkill(ctx, callerOf(res), params.id) }),
    stats: async ({ params }) => ok(skillStats(ctx, params.id)),
    versions: async ({ params }) => ok(await listVersions(ctx, params.id)),
    star: async ({ params, res }) => ok({ data: await starSkill(ctx, callerOf(res), params.id) }),
    unstar: async ({ params, res }) =>
      ok({ data: await unstarSkill(ctx, callerOf(res), params.id) }),
  })
