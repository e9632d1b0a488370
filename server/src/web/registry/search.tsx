import type { Request } from 'express'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import type { CatalogueQuery } from '../../catalogue/find.ts'
import { countFacets, searchSkills } from '../../catalogue/search.ts'
import { serializePage } from '../../catalogue/serialize.ts'
import { Page } from '../ui/layout.tsx'
import { counted, Icon, LinkList, number, SearchForm } from '../ui/parts.tsx'
import {
  filtersOf,
  readSearchForm,
  resolvePath,
  type SearchFormValues,
  searchPath,
} from './queries.ts'
import { SkillPage } from './skill-list.tsx'
import { listText } from './texts.ts'

const resultsPerPage = 20

/** Values that a filter offers. */
const offered = 15

type Scope = Pick<CatalogueQuery, 'owner' | 'repo' | 'publisher'>

/** Finds a page of the skills in a scope that match a query, and what its filters offer. */
export function browse(ctx: RegistryContext, query: SearchFormValues, scope: Scope = {}) {
  const { tags, page, sort, ...words } = query
  const given = Object.fromEntries(Object.entries(words).filter(([, value]) => value !== ''))
  const wanted = { ...given, ...scope, sort, tags: tags.join(',') }
  const results = serializePage(ctx, searchSkills(ctx, { ...wanted, page, limit: resultsPerPage }))
  return { query, scope, results, facets: () => countFacets(ctx, wanted, offered) }
}

type Browsed = ReturnType<typeof browse>

/** Results of a search, or all skills for an empty query. */
export function searchRepresentations(ctx: RegistryContext, asked: Request['query']) {
  const query = readSearchForm(asked)
  const found = browse(ctx, query)
  const { results } = found
  const title = query.q ? `Skills for “${query.q}”` : 'Browse skills'
  const next = searchPath({ ...query, page: query.page + 1 }, '/search.md')
  const page = () => (
    <Page
      title={title}
      description={`${counted(results.total, 'skill')} for agents, as markdown at an address.`}
      markdownUrl={searchPath(query, '/search.md')}
      indexed={false}
    >
      <h1 dir="auto">{title}</h1>
      <div class="search-head">
        <SearchForm value={query.q} keep={filtersOf(query)} />
      </div>
      <SkillBrowser {...found} path="/search" />
    </Page>
  )
  const markdown = () => listText(query.q ? title : 'Skills', results, ctx.config.baseUrl + next)
  return { page, markdown }
}

const orders = [
  ['stars', 'Suggested'],
  ['downloads', 'Fetches'],
  ['recent', 'Newest'],
] as const

/** A page of skills below filters and orders. `path` is that of the page. */
export function SkillBrowser({ query, scope, results, facets, path }: Browsed & { path: string }) {
  const { total } = results
  const pathOf = (changes: Partial<SearchFormValues>) =>
    searchPath({ ...query, page: 1, ...changes }, path)
  if (total === 0 && pathOf({}) === path) {
    return (
      <p class="empty">
        No skills yet. <a href="/docs/publish">Publish a skill</a>
      </p>
    )
  }
  const addTag = (tag: string) => pathOf({ tags: [...new Set([...query.tags, tag])] })
  return (
    <>
      <div class="facets">
        <p>
          {total === 0 ? 'No' : <strong>{number(total)}</strong>} {total === 1 ? 'skill' : 'skills'}
        </p>
        {total > 1 && <Filters {...{ query, scope, facets, pathOf, addTag }} />}
        <ActiveFilters query={query} pathOf={pathOf} />
        <nav aria-label="Sort by">
          <span class="muted" aria-hidden="true">
            Sort by
          </span>
          <LinkList
            links={orders.map(([sort, label]) => ({
              label: sort === 'stars' && query.q ? 'Relevance' : label,
              path: pathOf({ sort }),
              current: sort === query.sort && 'true',
            }))}
          />
        </nav>
      </div>
      {total === 0 ? (
        <Nothing query={query} path={path} />
      ) : (
        <SkillPage results={results} pathOf={(page) => pathOf({ page })} hrefOfTag={addTag} />
      )}
    </>
  )
}

type FilterProps = Omit<Browsed, 'results'> & {
  pathOf: (changes: Partial<SearchFormValues>) => string
  addTag: (tag: string) => string
}

/** The values that narrow the results, each with the number of its skills. */
function Filters({ query, scope, facets, pathOf, addTag }: FilterProps) {
  const { tags, owner, license, areExact } = facets()
  const known = new Set(query.tags.map((tag) => tag.toLowerCase()))
  const filters = [
    ['Tag', tags.filter(([tag]) => !known.has(tag)), addTag],
    ['Owner', query.owner || scope.owner ? [] : owner, (value: string) => pathOf({ owner: value })],
    ['License', query.license ? [] : license, (value: string) => pathOf({ license: value })],
  ] as const
  return filters.map(
    ([name, values, hrefOf]) =>
      values.length > 0 && (
        <details class="filter-menu" name="filter">
          <summary>{name}</summary>
          <ul>
            {values.map(([value, count]) => (
              <li>
                <a href={hrefOf(value)}>
                  <span dir="auto">{value}</span>{' '}
                  <span class="muted">{number(count) + (areExact ? '' : '+')}</span>
                </a>
              </li>
            ))}
          </ul>
        </details>
      ),
  )
}

/** The active filters; each links to the results without it. */
function ActiveFilters({ query, pathOf }: Pick<FilterProps, 'query' | 'pathOf'>) {
  // A repository is only meaningful with its owner, so one filter covers both.
  const source = [query.owner, query.repo].filter((part) => part !== '').join('/')
  const filters = [
    ...query.tags.map(
      (tag) => [tag, { tags: query.tags.filter((other) => other !== tag) }] as const,
    ),
    [source, { owner: '', repo: '' }] as const,
    [query.license, { license: '' }] as const,
  ].filter(([label]) => label !== '')
  if (filters.length === 0) return null
  return (
    <ul aria-label="Filters">
      {filters.map(([label, without]) => (
        <li>
          <a class="chip" href={pathOf(without)}>
            <span dir="auto">{label}</span>
            <Icon name="no" />
            <span class="hidden">, remove this filter</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

const Nothing = ({ query, path }: { query: SearchFormValues; path: string }) => (
  <div class="empty">
    <h2>No skills found</h2>
    <ul>
      <li>Try fewer or more general words. Search reads names and descriptions.</li>
      {searchPath({ q: query.q }, path) !== searchPath(query, path) && (
        <li>
          <a href={searchPath({ q: query.q }, path)}>Search without the filters</a>
        </li>
      )}
      <li>
        <a href={resolvePath({ task: query.q })}>Describe a task instead</a>: Resolve reads the
        whole text of every skill.
      </li>
    </ul>
  </div>
)
