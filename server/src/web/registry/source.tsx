import { findAgentNamed } from '../../agents/agents.ts'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { searchSkills } from '../../catalogue/search.ts'
import { fail } from '../../errors/failure.ts'
import { indexSize } from '../../installers/scope.ts'
import { findRepositoryNamed } from '../../skills/repositories.ts'
import { isInstallableSlug } from '../../text/skill-file/complete.ts'
import { copyScript } from '../ui/assets.ts'
import { Page } from '../ui/layout.tsx'
import { Command, counted } from '../ui/parts.tsx'
import { ownerPath, repositoryPath } from './data.ts'
import { type SearchFormValues, searchPath } from './queries.ts'
import { browse, SkillBrowser } from './search.tsx'
import { listText } from './texts.ts'

export interface Source {
  owner: string
  /** Absent for all skills of the owner. */
  repo?: string | undefined
}

export async function sourceRepresentations(
  ctx: RegistryContext,
  params: Source,
  asked: SearchFormValues,
) {
  const { baseUrl } = ctx.config
  const { isMarkdown, ...source } = readSource(ctx, params)
  const { owner, repo, agent } = await findSource(ctx, source)
  const query = { ...asked, owner: '', repo: '' }
  const found = browse(ctx, query, { owner, repo })
  const { results } = found
  const { page } = query
  const address = repo === undefined ? owner : `${owner}/${repo}`
  const path = repo === undefined ? ownerPath(owner) : repositoryPath({ owner, name: repo })
  // The repository `notes.md` has the address of the markdown of `notes`.
  const isTaken = repo !== undefined && !readSource(ctx, { owner, repo: `${repo}.md` }).isMarkdown
  const markdownOf = (page: number) =>
    isTaken
      ? searchPath({ ...query, owner, repo: repo ?? '', page }, '/search.md')
      : searchPath({ ...query, page }, `${path}.md`)
  const { total, data } = results
  const shown = () => (
    <Page
      title={address}
      description={`${counted(total, 'skill')} of ${address}, as markdown for agents.`}
      canonical={`${baseUrl}${path}`}
      markdownUrl={markdownOf(1)}
      feedUrl={repo === undefined ? `${path}/feed.atom` : undefined}
      scripts={[copyScript.url]}
    >
      <header class="masthead">
        {repo !== undefined && (
          <p class="crumbs mono">
            <a href={ownerPath(owner)}>{owner}</a>
          </p>
        )}
        <h1>{repo ?? owner}</h1>
        <ul class="glance">
          {total > 0 && (
            <li>
              <a href={searchPath({ owner, repo: repo ?? '' })}>Search these skills</a>
            </li>
          )}
          {agent !== undefined && (
            <li>
              <a href={`/agents/${encodeURIComponent(agent)}`}>About this agent</a>
            </li>
          )}
        </ul>
        {data.some(({ slug }) => isInstallableSlug(slug)) && (
          <>
            <Command text={`npx skills add ${baseUrl}${path}`} />
            {total > indexSize && (
              <p class="hint">
                This offers the first {indexSize} skills. To install another skill, use the command
                on its page.
              </p>
            )}
          </>
        )}
      </header>
      <SkillBrowser {...found} path={path} />
    </Page>
  )
  const nextUrl = baseUrl + markdownOf(page + 1)
  return { isMarkdown, page: shown, markdown: () => listText(address, results, nextUrl) }
}

/**
 * Reads an address that ends with `.md` as the markdown, unless an owner or repository has that
 * name.
 */
function readSource(ctx: RegistryContext, { owner, repo }: Source) {
  const isMarkdown =
    (repo ?? owner).endsWith('.md') &&
    searchSkills(ctx, { owner, repo, sort: 'stars', page: 1, limit: 1 }).total === 0
  const cut = (name: string) => (isMarkdown ? name.slice(0, -'.md'.length) : name)
  return {
    isMarkdown,
    ...(repo === undefined ? { owner: cut(owner) } : { owner, repo: cut(repo) }),
  }
}

/**
 * Returns the names of an owner or repository in their canonical case, and the agent of that name.
 * Throws NOT_FOUND if nothing has the name.
 */
export async function findSource(ctx: RegistryContext, { owner, repo }: Source) {
  const [first] = searchSkills(ctx, { owner, repo, sort: 'stars', page: 1, limit: 1 }).skills
  const agent = repo === undefined ? await findAgentNamed(ctx, owner) : undefined
  const known =
    first?.repository ??
    (repo === undefined ? undefined : await findRepositoryNamed(ctx, { owner, repo }))
  if (!agent && !known) {
    fail('NOT_FOUND', `There is nothing at /${repo === undefined ? owner : `${owner}/${repo}`}.`)
  }
  return {
    owner: known?.owner ?? agent?.username ?? owner,
    repo: repo && (known?.name ?? repo),
    agent: agent?.username,
  }
}
