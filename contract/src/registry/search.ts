import { z } from 'zod'
import { bounds } from '../limits.ts'
import { boolean, doc } from '../schemas.ts'
import { words } from '../text.ts'
import { Count } from './fields.ts'
import { limit, optional, page, verdictFilter, withDefault } from './query-fields.ts'
import { SkillItem } from './skill.ts'

export const pageLimit = limit(bounds.pageSize.max, bounds.pageSize.default)

/** Query parameters of search. An empty parameter counts as absent. */
export const SearchQuery = z.object({
  q: optional(words(bounds.query)).meta(
    doc('Words to find in names and descriptions.', 'pdf form'),
  ),
  tags: optional(z.string().max(bounds.tags * (bounds.tag + 1))).meta(
    doc('Tags, separated by commas. Results have all of them.', 'pdf,forms'),
  ),
  owner: optional(z.string().max(100)).describe('Owner of the repository.'),
  repo: optional(z.string().max(100)).describe('Name of the repository.'),
  license: optional(z.string().max(100)).meta(
    doc('Short name of the license, in any case.', 'MIT'),
  ),
  verdict: verdictFilter,
  sort: withDefault(z.enum(['stars', 'downloads', 'recent']), 'stars').describe(
    'Sort order. `stars` sorts by stars of the repository, then of the skill. With `q`, this default means relevance. `downloads` sorts by downloads of the repository, then by fetches of the skill. `recent` sorts by the last change, then by stars. Pages never overlap.',
  ),
  page,
  limit: pageLimit,
})

/** Fields of a paged response. */
export const pageFields = {
  page: z.int().positive().describe('Page number, from 1.'),
  limit: z.int().positive().describe('Maximum number of entries per page.'),
  hasMore: boolean('Whether there are more pages.'),
}

export const SearchPage = z
  .object({
    data: z.array(SkillItem),
    total: Count.describe('Number of matching skills over all pages.'),
    ...pageFields,
  })
  .meta({ id: 'SearchPage', description: 'A page of search results.' })
