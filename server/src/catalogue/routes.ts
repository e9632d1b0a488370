import type { registryContract } from '@skillpass/contract'
import type { HandlersOf } from '../http/serve.ts'
import type { RegistryContext } from './catalogue.ts'
import { resolveTask } from './resolve.ts'
import { searchSkills, trendingSkills } from './search.ts'
import { serializePage, serializeResolved, serializeSkill } from './serialize.ts'

type Contract = Pick<(typeof registryContract)['skills'], 'search' | 'resolve' | 'trending'>

export const discoveryHandlers: HandlersOf<Contract, RegistryContext, unknown> = {
  search: async ({ ctx, query }) => serializePage(ctx, searchSkills(ctx, query)),
  resolve: async ({ ctx, query }) => serializeResolved(ctx, resolveTask(ctx, query)),
  trending: async ({ ctx, query }) => {
    const data = trendingSkills(ctx, query.limit).map((skill) => serializeSkill(ctx, skill))
    return { data, total: ctx.catalogue.size }
  },
}
