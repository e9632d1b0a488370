import type { Request } from 'express'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { searchSkills } from '../../catalogue/search.ts'
import { serializePage } from '../../catalogue/serialize.ts'
import { Page } from '../ui/layout.tsx'
import { counted, Icon, LinkList, number, SearchForm } from '../ui/parts.tsx'
import type { SearchPage } from './data.ts'
import {
  filtersOf,
  readSearchForm,
  resolvePath,
  type SearchFormValues,
  searchPath,
} from './queries.ts'
import { SkillPage } from './skill-list.tsx'
import { resultsPerPage } from './source.tsx'
import { listText } from './texts.ts'

/** Results of a search, or all skills for an empty query. */
export function searchRepresentations(ctx: RegistryContext, asked: Request['query']) {
  const query = readSearchForm(asked)
  const { q, sort, page } = query
  const found = searchSkills(ctx, {
    sort,
    page,
    limit: resultsPerPage,
    q: q || undefined,
    tags: query.tags.join(','),
    owner: query.owner || undefined,
    repo: query.repo || undefined,
  })
  const results = serializePage(ctx, found)
  const next = searchPath({ ...query, page: page + 1 }, '/search.md')
  return {
    page: () => searchPage(query, results),
    markdown: () =>
      listText(q ? `Skills for “${q}”` : 'Skills', results, ctx.config.baseUrl + next),
  }
}

function searchPage(query: SearchFormValues, results: SearchPage) {
  const { total } = results
  const title = query.q ? `Skills for “${query.q}”` : 'Browse skills'
  const pathOf = (page: number) => searchPath({ ...query, page })
  const addTag = (tag: string) =>
    searchPath({ ...query, page: 1, tags: [...new Set([...query.tags, tag])] })
  return (
    <Page
      title={title}
      description={`${counted(total, 'skill')} for agents, as markdown at an address.`}
      markdownUrl={searchPath(query, '/search.md')}
      indexed={false}
    >
      <h1 dir="auto">{title}</h1>
      <div class="search-head">
        <SearchForm value={query.q} keep={filtersOf(query)} />
      </div>
      <Facets query={query} total={total} />
      {total === 0 ? (
        <Nothing query={query} />
      ) : (
        <SkillPage results={results} pathOf={pathOf} level={2} hrefOfTag={addTag} />
      )}
    </Page>
  )
}

/** The number of results, the active filters and the sort order. */
function Facets({ query, total }: { query: SearchFormValues; total: number }) {
  const sorts = [
    ['stars', query.q ? 'Relevance' : 'Stars'],
    ['downloads', 'Fetches'],
    ['recent', 'Newest'],
  ] as const
  const links = sorts.map(([sort, label]) => {
    const current = sort === query.sort ? ('true' as const) : undefined
    return { label, path: searchPath({ ...query, sort, page: 1 }), current }
  })
  const filters = activeFilters(query)
  return (
    <div class="facets">
      <p>
        {total === 0 ? 'No' : <strong>{number(total)}</strong>} {total === 1 ? 'skill' : 'skills'}
      </p>
      {filters.length > 0 && (
        <ul aria-label="Filters">
          {filters.map(({ label, without }) => (
            <li>
              <a class="chip" href={without}>
                <span dir="auto">{label}</span>
                <Icon name="no" />
                <span class="hidden">, remove this filter</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <nav aria-label="Sort by">
        <span class="muted" aria-hidden="true">
          Sort by
        </span>
        <LinkList links={links} />
      </nav>
    </div>
  )
}

function activeFilters(query: SearchFormValues) {
  const first = { ...query, page: 1 }
  const filters = query.tags.map((tag) => ({
    label: tag,
    without: searchPath({ ...first, tags: query.tags.filter((other) => other !== tag) }),
  }))
  // A repository is only meaningful with its owner, so one filter covers both.
  const source = [query.owner, query.repo].filter((part) => part !== '').join('/')
  if (source !== '') {
    filters.push({ label: source, without: searchPath({ ...first, owner: '', repo: '' }) })
  }
  return filters
}

function Nothing({ query }: { query: SearchFormValues }) {
  const filtered = query.tags.length > 0 || query.owner !== '' || query.repo !== ''
  return (
    <div class="empty">
      <h2>No skills found</h2>
      <ul>
        <li>Try fewer or more general words. Search reads names and descriptions.</li>
        {filtered && (
          <li>
            <a href={searchPath({ q: query.q })}>Search without the filters</a>
          </li>
        )}
        <li>
          <a href={resolvePath({ task: query.q })}>Describe a task instead</a>: Resolve reads the
          whole text of every skill.
        </li>
      </ul>
    </div>
  )
}
