import { bounds } from '@skillpass/contract'

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

/** Reads the query of the search page. Unlike the API, it clamps or drops invalid values. */
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

/** Path of the search page for a query; default values are omitted. */
export function searchPath(query: Partial<SearchQuery>, path = '/search'): string {
  const { q, page } = query
  const text = queryOf({ q, ...filtersOf(query), page: page === 1 ? '' : page })
  // A comma is legal in a query and easier to read than %2C.
  return path + text.replaceAll('%2C', ',')
}

/** The filters and the order of a query as form fields; the default order is empty. */
export const filtersOf = ({ tags, owner, repo, sort }: Partial<SearchQuery>) => ({
  tags: tags?.join(','),
  owner,
  repo,
  sort: sort === 'stars' ? '' : sort,
})

/** Builds a query string from the values that are not empty. */
export function queryOf(values: Record<string, string | number | undefined>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') params.set(name, String(value))
  }
  return params.size === 0 ? '' : `?${params}`
}

/** Makes a value valid for the contract's fields: no NUL, no lone surrogates, trimmed, at most `max` long. */
function plain(value: unknown, max: number): string {
  if (typeof value !== 'string') return ''
  return value.replaceAll('\u0000', '').trim().slice(0, max).toWellFormed().trim()
}

const distinct = (list: string[]) => [...new Set(list.filter((item) => item !== ''))]
