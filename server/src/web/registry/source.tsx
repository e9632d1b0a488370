import { indexSize } from '../../installers/scope.ts'
import { isInstallableSlug } from '../../skills/frontmatter/complete.ts'
import { counted } from '../ui/format.tsx'
import { Page } from '../ui/layout.tsx'
import { Command } from './command.tsx'
import { SkillPage } from './pager.tsx'
import { ownerPath, repositoryPath } from './paths.ts'
import type { SearchPage } from './registry-data.ts'
import { searchPath } from './search-query.ts'

interface SourcePageData {
  owner: string
  /** Absent on the page of everything that an owner has. */
  repo?: string
  results: SearchPage
  /** The agent that goes by the owner's name, where there is one. */
  agent?: string | undefined
  baseUrl: string
}

/** The skills of an owner, or of one repository. */
export function sourcePage({ owner, repo, results, agent, baseUrl }: SourcePageData) {
  const address = repo === undefined ? owner : `${owner}/${repo}`
  const path = repo === undefined ? ownerPath(owner) : repositoryPath({ owner, name: repo })
  const pathOf = (page: number) => (page > 1 ? `${path}?page=${page}` : path)
  const { total, data } = results
  return (
    <Page
      title={address}
      description={`${counted(total, 'skill')} of ${address}, as markdown for agents.`}
      canonical={`${baseUrl}${path}`}
      markdownUrl={`${path}.md`}
      hasCommands
    >
      <header class="masthead">
        {repo === undefined ? (
          <h1>{owner}</h1>
        ) : (
          <>
            <p class="crumbs mono">
              <a href={ownerPath(owner)}>{owner}</a>
            </p>
            <h1>{repo}</h1>
          </>
        )}
        <ul class="glance">
          <li>{total === 0 ? 'No skills' : counted(total, 'skill')}</li>
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
                This offers the {indexSize} most starred skills. For another, use the command on its
                page.
              </p>
            )}
          </>
        )}
      </header>
      {total === 0 ? (
        <p class="empty">{address} has no skills yet.</p>
      ) : (
        <SkillPage results={results} pathOf={pathOf} level={2} />
      )}
    </Page>
  )
}
