import { z } from 'zod'
import { bounds } from '../limits.ts'
import { boolean } from '../schemas.ts'
import { words } from '../text.ts'
import { Count } from './fields.ts'
import { limit, optional, page, verdictFilter, withDefault } from './query-fields.ts'
import { SkillItem } from './skill.ts'

/** How many a list answers. */
export const pageLimit = limit(bounds.pageSize.max, bounds.pageSize.default)

/** What a search asks for. A parameter that is empty counts as absent, here and on the page. */
export const SearchQuery = z.object({
  q: optional(words(bounds.query)).meta({ description: 'Words to look for.', example: 'pdf form' }),
  tags: optional(z.string().max(bounds.tags * (bounds.tag + 1))).meta({
    description: 'Comma-separated; a skill must have all of them.',
    example: 'pdf,forms',
  }),
  owner: optional(z.string().max(100)).meta({ description: 'Owner of the repository.' }),
  repo: optional(z.string().max(100)).meta({ description: 'Name of the repository.' }),
  verdict: verdictFilter,
  sort: withDefault(z.enum(['stars', 'downloads', 'recent']), 'stars').meta({
    description:
      'Order: `stars` of the repository, then of the skill (with `q`, this default means relevance); `downloads` of the repository, then fetches of the skill; or `recent`, the last change, then as `stars`. Last comes the id, so pages never overlap.',
  }),
  page,
  limit: pageLimit,
})

/** What a list answers of its page. */
export const pageFields = {
  page: z.int().positive().meta({ description: 'The page, from 1.' }),
  limit: z.int().positive().meta({ description: 'Most entries of a page, as asked for.' }),
  hasMore: boolean('Whether a next page holds more.'),
}

/** What a search answers. */
export const SearchPage = z
  .object({
    data: z.array(SkillItem),
    total: Count.meta({ description: 'Skills that match, over all pages.' }),
    ...pageFields,
  })
  .meta({ id: 'SearchPage', description: 'A page of search results.' })
