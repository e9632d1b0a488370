import { countAgents } from '../agents/store/agents.ts'
import type { Verdict } from '../moderation/lint/types.ts'
import { countRepositories } from '../skills/store/repositories.ts'
import type { RegistryContext } from './context.ts'
import type { SkillFilter, Wanted } from './find.ts'

type SearchSort = 'stars' | 'downloads' | 'recent'

/** What a search asks for. */
export interface SearchQuery {
  q?: string | undefined
  /** Comma-separated; a skill must have all of them. */
  tags?: string | undefined
  owner?: string | undefined
  repo?: string | undefined
  /** The gravest verdict; any without it. */
  verdict?: Verdict | 'any' | undefined
  sort: SearchSort
  page: number
  limit: number
}

/** A page of the skills that match (registry spec §4). */
export function searchSkills(ctx: RegistryContext, query: SearchQuery) {
  const { q, sort, page, limit } = query
  const start = (page - 1) * limit
  const order = q !== undefined && sort === 'stars' ? 'relevance' : sort
  const wanted: Wanted = { q, filter: filterOf(query), order }
  ctx.signal?.throwIfAborted()
  const { skills, total } = ctx.catalogue.find(wanted, start, start + limit)
  return { skills, total, page, limit, hasMore: start + limit < total }
}

export type FoundSkills = ReturnType<typeof searchSkills>

/** The top skills by stars, all time. */
export const trendingSkills = (ctx: RegistryContext, limit: number) =>
  ctx.catalogue.find({ order: 'trending' }, 0, limit).skills

/** What the filters ask for; nothing when there are none. */
function filterOf({ tags, owner, repo, verdict }: SearchQuery): SkillFilter | undefined {
  const wanted = (tags ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  const worst = verdict === 'any' ? undefined : verdict
  const conditions = wanted.length > 0 || owner !== undefined || repo !== undefined
  return conditions || worst ? { tags: wanted, owner, repo, verdict: worst } : undefined
}

/** How much the registry holds. */
export async function registryNumbers({ catalogue, db }: RegistryContext) {
  return {
    skills: catalogue.size,
    agents: await countAgents(db.read),
    repositories: await countRepositories(db.read),
    fetches: catalogue.fetchCount,
  }
}
