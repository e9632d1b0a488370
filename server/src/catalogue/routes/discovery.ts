import { registryContract } from '@skillpass/contract'
import { ok, router } from '../../http/handlers.ts'
import { forRequest } from '../../runtime/context.ts'
import type { RegistryContext } from '../catalogue.ts'
import { resolveTask } from '../resolve.ts'
import { searchSkills, trendingSkills } from '../search.ts'
import { serializePage, serializeResolved, serializeSkill } from '../serialize.ts'

const { search, resolve, trending } = registryContract.skills

export function discoveryRoutes(ctx: RegistryContext) {
  return router(
    { search, resolve, trending },
    {
      search: async ({ query, req }) =>
        ok(serializePage(ctx, searchSkills(forRequest(ctx, req), query))),
      resolve: async ({ query, req }) =>
        ok(serializeResolved(ctx, resolveTask(forRequest(ctx, req), query))),
      trending: async ({ query }) => {
        const skills = trendingSkills(ctx, query.limit)
        const data = skills.map((skill) => serializeSkill(ctx, skill))
        return ok({ data, total: ctx.catalogue.size })
      },
    },
  )
}
