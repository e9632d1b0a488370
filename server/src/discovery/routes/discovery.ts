import { registryContract } from '@skillpass/contract'
import { LRUCache } from 'lru-cache'
import { from } from '../../audit/origin.ts'
import { ok, router } from '../../http/handlers.ts'
import type { RegistryContext } from '../context.ts'
import { resolveTask } from '../resolve.ts'
import { searchSkills, trendingSkills } from '../search.ts'
import { serializePage, serializeResolved, serializeSkill } from '../serialize/skills.ts'

const { search, resolve, trending } = registryContract.skills

/** Those of the contract's `skills` that find some. */
export function discoveryRoutes(ctx: RegistryContext) {
  /** Pages of searches as of a state of the catalogue. */
  const pages = new LRUCache<string, KeptPage>({ max: 500 })
  return router(
    { search, resolve, trending },
    {
      search: async ({ query, req }) => {
        const { catalogue } = ctx
        const { changes } = catalogue
        const key = JSON.stringify(query)
        const kept = pages.get(key)
        if (kept?.catalogue === catalogue && kept.changes === changes) return ok(kept.page)
        const page = serializePage(ctx, searchSkills(from(ctx, req), query))
        pages.set(key, { catalogue, changes, page })
        return ok(page)
      },
      resolve: async ({ query, req }) =>
        ok(serializeResolved(ctx, resolveTask(from(ctx, req), query))),
      trending: async ({ query }) => {
        const skills = trendingSkills(ctx, query.limit)
        const data = skills.map((skill) => serializeSkill(ctx, skill))
        return ok({ data, total: ctx.catalogue.size })
      },
    },
  )
}

interface KeptPage {
  readonly catalogue: RegistryContext['catalogue']
  readonly changes: number
  readonly page: ReturnType<typeof serializePage>
}
