import { bounds, contract } from '@skillpass/contract'
import { sentence } from '../ui/parts.tsx'

const sorts = ['stars', 'downloads', 'recent'] as const
const lastPage = 1_000_000
const nameLength = 100

export type SearchFormValues = ReturnType<typeof readSearchForm>

/** Reads the query of the search page. Unlike the API, it clamps or drops invalid values. */
export function readSearchForm(query: Record<string, unknown>) {
  const page = Number.parseInt(clean(query.page, 10), 10)
  const tags = clean(query.tags, bounds.tags * (bounds.tag + 1)).split(',')
  const named = tags.map((tag) => clean(tag, bounds.tag)).filter((tag) => tag !== '')
  return {
    q: clean(query.q, bounds.query),
    tags: [...new Set(named)].slice(0, bounds.tags),
    owner: clean(query.owner, nameLength),
    repo: clean(query.repo, nameLength),
    license: clean(query.license, nameLength),
    sort: sorts.find((sort) => sort === query.sort) ?? 'stars',
    page: page >= 1 ? Math.min(page, lastPage) : 1,
  }
}

/**
 * Makes a value valid for the contract's fields: no NUL, no lone surrogates, trimmed, at most `max`
 * long.
 */
const clean = (value: unknown, max: number): string =>
  plain(value).replaceAll('\u0000', '').trim().slice(0, max).toWellFormed().trim()

const plain = (value: unknown) => (typeof value === 'string' ? value : '')

/** Path of the search page for a query; default values are omitted. */
export function searchPath(query: Partial<SearchFormValues>, path = '/search'): string {
  const { q, page } = query
  const text = queryOf({ q, ...filtersOf(query), page: page === 1 ? '' : page })
  // A comma is legal in a query and easier to read than %2C.
  return path + text.replaceAll('%2C', ',')
}

/** The filters and the order of a query as form fields; the default order is empty. */
export const filtersOf = ({ tags, sort, ...query }: Partial<SearchFormValues>) => ({
  tags: tags?.join(','),
  owner: query.owner,
  repo: query.repo,
  license: query.license,
  sort: sort === 'stars' ? '' : sort,
})

/** Builds a query string from the values that are not empty. */
function queryOf(values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  const params = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return params.size === 0 ? '' : `?${params}`
}

export type ResolveFormValues = ReturnType<typeof readResolveForm>
export type ResolveQuery = NonNullable<ResolveFormValues['query']>

/**
 * Validates the query of the resolve page by the API's schema. An empty number means its default.
 * `query` is absent if the form is empty or has issues.
 */
export function readResolveForm(query: Record<string, unknown>) {
  const form = {
    // Forms send CRLF, which would count twice against the length limit.
    task: plain(query.task).replaceAll('\r\n', '\n'),
    threshold: plain(query.threshold) || String(bounds.resolveThreshold),
    limit: plain(query.limit) || String(bounds.resolveLimit.default),
  }
  const issues: Record<string, string> = {}
  if (query.task === undefined) return { form, issues }
  const read = contract.registry.skills.resolve.query.safeParse(form)
  if (read.success) return { form, query: read.data, issues }
  for (const { path, message } of read.error.issues) issues[String(path[0])] ??= sentence(message)
  return { form, issues }
}

/** Path of the resolve page for a task; default values are omitted. */
export const resolvePath = ({ task, threshold, limit }: Partial<ResolveQuery>, path = '/resolve') =>
  path +
  queryOf({
    task,
    threshold: threshold === bounds.resolveThreshold ? '' : threshold,
    limit: limit === bounds.resolveLimit.default ? '' : limit,
  })
