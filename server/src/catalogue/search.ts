import { countAgents } from '../store/registry/agents.ts'
import { countRepositories } from '../store/registry/repositories.ts'
import type { RegistryContext } from './catalogue.ts'
import type { CatalogueQuery } from './find.ts'

interface SearchQuery extends Omit<CatalogueQuery, 'tags' | 'order'> {
  /** Comma-separated tags, all of which a skill must have. */
  tags?: string | undefined
  sort: 'stars' | 'downloads' | 'recent'
  page: number
  limit: number
}

/** Returns a page of matching skills (spec/registry.md#search). */
export function searchSkills(ctx: RegistryContext, query: SearchQuery) {
  const { tags, sort, page, limit, ...wanted } = query
  const start = (page - 1) * limit
  const order = wanted.q !== undefined && sort === 'stars' ? 'relevance' : sort
  ctx.signal?.throwIfAborted()
  const { skills, total } = ctx.catalogue.find(
    { ...wanted, tags: splitTags(tags), order },
    start,
    start + limit,
  )
  return { skills, total, page, limit, hasMore: start + limit < total }
}

export type FoundSkills = ReturnType<typeof searchSkills>

/** Returns the skills with the most stars of all time (spec/registry.md#trending). */
export const trendingSkills = (ctx: RegistryContext, limit: number) =>
  ctx.catalogue.find({ order: 'trending' }, 0, limit).skills

const splitTags = (tags = ''): string[] =>
  tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

/** Returns the totals that the home page shows. */
export async function registryTotals({ catalogue, db }: RegistryContext) {
  return {
    skills: catalogue.size,
    agents: await countAgents(db.read),
    repositories: await countRepositories(db.read),
    fetches: catalogue.fetchCount,
  }
}
