import { countAgents } from '../store/registry/agents.ts'
import { countRepositories } from '../store/registry/repositories.ts'
import type { Verdict } from '../store/registry/skill-record.ts'
import type { RegistryContext } from './catalogue.ts'
import type { CatalogueQuery, SkillFilter } from './find.ts'

export interface SearchQuery {
  q?: string | undefined
  /** Whether the last word of `q` may be unfinished. */
  isTyping?: boolean | undefined
  /** Comma-separated tags, all of which a skill must have. */
  tags?: string | undefined
  owner?: string | undefined
  repo?: string | undefined
  /** Most serious verdict to include. No limit if undefined. */
  verdict?: Verdict | 'any' | undefined
  sort: 'stars' | 'downloads' | 'recent'
  page: number
  limit: number
}

/** Returns a page of matching skills (spec/registry.md#search). */
export function searchSkills(ctx: RegistryContext, query: SearchQuery) {
  const { q, isTyping, sort, page, limit } = query
  const start = (page - 1) * limit
  const order = q !== undefined && sort === 'stars' ? 'relevance' : sort
  const wanted: CatalogueQuery = { q, isTyping, filter: filterOf(query), order }
  ctx.signal?.throwIfAborted()
  const { skills, total } = ctx.catalogue.find(wanted, start, start + limit)
  return { skills, total, page, limit, hasMore: start + limit < total }
}

export type FoundSkills = ReturnType<typeof searchSkills>

/** Returns the skills with the most stars of all time (spec/registry.md#trending). */
export const trendingSkills = (ctx: RegistryContext, limit: number) =>
  ctx.catalogue.find({ order: 'trending' }, 0, limit).skills

/** Parses the filter parameters. Returns undefined without filters. */
function filterOf({ tags, owner, repo, verdict }: SearchQuery): SkillFilter | undefined {
  const wanted = (tags ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  const maxVerdict = verdict === 'any' ? undefined : verdict
  const conditions = wanted.length > 0 || owner !== undefined || repo !== undefined
  return conditions || maxVerdict ? { tags: wanted, owner, repo, verdict: maxVerdict } : undefined
}

/** Returns the totals that the home page shows. */
export async function registryTotals({ catalogue, db }: RegistryContext) {
  return {
    skills: catalogue.size,
    agents: await countAgents(db.read),
    repositories: await countRepositories(db.read),
    fetches: catalogue.fetchCount,
  }
}
