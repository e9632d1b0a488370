import { bounds } from '@skillpass/contract'

/** What a person searches for, as the address of the search page says it. */
export interface SearchQuery {
  q: string
  tags: string[]
  owner: string
  repo: string
  sort: Sort
  page: number
}

const sorts = ['stars', 'downloads', 'recent'] as const
export type Sort = (typeof sorts)[number]

const lastPage = 1_000_000
const nameLength = 100

/**
 * Reads the query string of the search page. People edit addresses, so what is out of range is cut
 * or left out here, where the API would refuse it.
 */
export function readSearchQuery(query: Record<string, unknown>): SearchQuery {
  const page = Number.parseInt(plain(query.page, 10), 10)
  const tags = plain(query.tags, bounds.tags * (bounds.tag + 1)).split(',')
  return {
    q: plain(query.q, bounds.query),
    tags: distinct(tags.map((tag) => plain(tag, bounds.tag))).slice(0, bounds.tags),
    owner: plain(query.owner, nameLength),
    repo: plain(query.repo, nameLength),
    sort: sorts.find((sort) => sort === query.sort) ?? 'stars',
    page: page >= 1 ? Math.min(page, lastPage) : 1,
  }
}

/** Address of the search page for a query; what is at its default is left out. */
export function searchPath(
  { q, tags, owner, repo, sort, page }: Partial<SearchQuery>,
  path = '/search',
): string {
  const text = queryOf({
    q,
    tags: tags?.join(','),
    owner,
    repo,
    sort: sort === 'stars' ? '' : sort,
    page: page === 1 ? '' : page,
  })
  // The comma is legal in a query, and people read these addresses.
  return path + text.replaceAll('%2C', ',')
}

/** A query of the values that are not empty. */
export function queryOf(values: Record<string, string | number | undefined>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') params.set(name, String(value))
  }
  return params.size === 0 ? '' : `?${params}`
}

/** Text that the contract's fields take: no NUL, no half characters, no blanks around. */
function plain(value: unknown, max: number): string {
  if (typeof value !== 'string') return ''
  return value.replaceAll('\u0000', '').trim().slice(0, max).toWellFormed().trim()
}

const distinct = (list: string[]) => [...new Set(list.filter((item) => item !== ''))]
