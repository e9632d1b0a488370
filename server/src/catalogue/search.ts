import { isInstallableSlug } from '../text/skill-file/complete.ts'
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
export function searchSkills(ctx: RegistryContext, { page, limit, ...query }: SearchQuery) {
  const start = (page - 1) * limit
  ctx.signal?.throwIfAborted()
  const { skills, total } = ctx.catalogue.find(wantedBy(query), start, start + limit)
  return { skills, total, page, limit, hasMore: start + limit < total }
}

/** Number of matching skills whose tags, owners and licenses are counted. */
const countedSkills = 20_000

/**
 * Returns the most frequent tags, owners and licenses of the matching skills, with counts. These
 * are lower bounds if more skills match than are counted.
 */
export function countFacets(ctx: RegistryContext, query: Unpaged, limit: number) {
  const { skills, total } = ctx.catalogue.find(wantedBy(query), 0, countedSkills)
  const count = (valuesOf: (skill: (typeof skills)[number]) => readonly string[]) => {
    const counts = new Map<string, number>()
    for (const skill of skills) {
      for (const value of valuesOf(skill)) counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    return [...counts].sort(([, a], [, b]) => b - a).slice(0, limit)
  }
  return {
    areExact: total <= countedSkills,
    tags: count(({ tags }) => tags.map((tag) => tag.toLowerCase())),
    owner: count(({ repository }) => [repository.owner]),
    license: count(({ license }) => (license === null ? [] : [license])),
  }
}

type Unpaged = Omit<SearchQuery, 'page' | 'limit'>

const wantedBy = ({ tags, sort, ...wanted }: Unpaged): CatalogueQuery => ({
  ...wanted,
  tags: splitTags(tags),
  order: wanted.q !== undefined && sort === 'stars' ? 'relevance' : sort,
})

export type FoundSkills = ReturnType<typeof searchSkills>

/** Returns the skills with the most stars of all time (spec/registry.md#trending). */
export const trendingSkills = (ctx: RegistryContext, limit: number) =>
  ctx.catalogue.find({ order: 'trending' }, 0, limit).skills

const splitTags = (tags = ''): string[] =>
  tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

/** Number of skills among which `featuredSkills` looks for different owners. */
const featuredWindow = 2000

/**
 * Returns clean skills that every installer accepts, each from a different owner: the most starred,
 * or the latest until one has a star.
 */
export function featuredSkills(ctx: RegistryContext, limit: number) {
  const owners = new Set<string>()
  const skills = ctx.catalogue
    .find({ order: 'browse', verdict: 'clean' }, 0, featuredWindow)
    .skills.filter(({ slug, repository }) => {
      const known = owners.size
      return isInstallableSlug(slug) && owners.add(repository.owner.toLowerCase()).size > known
    })
    .slice(0, limit)
  return { skills, areStarred: (skills[0]?.repository.starCount ?? 0) > 0 }
}
