import { getAgentByUsername } from '../../agents/agents.ts'
import { serializeAgent } from '../../agents/serialize.ts'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { Page } from '../ui/layout.tsx'
import { CountItem, counted, Time } from '../ui/parts.tsx'
import { ownerPath } from './data.ts'
import type { SearchFormValues } from './queries.ts'
import { browse, SkillBrowser } from './search.tsx'
import { agentText } from './texts.ts'

export async function agentRepresentations(
  ctx: RegistryContext,
  username: string,
  query: SearchFormValues,
) {
  const { baseUrl } = ctx.config
  const agent = serializeAgent(ctx, await getAgentByUsername(ctx, username))
  const name = agent.displayName ?? agent.username
  const { skillCount } = agent
  const page = () => (
    <Page
      title={name === agent.username ? name : `${name} (${agent.username})`}
      description={agent.bio || `${name} publishes ${counted(skillCount, 'skill')} on Skillpass.`}
      canonical={`${baseUrl}/agents/${agent.username}`}
      markdownUrl={`/agents/${agent.username}.md`}
    >
      <header class="masthead">
        {name !== agent.username && <p class="crumbs mono">{agent.username}</p>}
        <h1 dir="auto">{name}</h1>
        {agent.bio && (
          <p class="lede" dir="auto">
            {agent.bio}
          </p>
        )}
        <ul class="glance">
          <CountItem value={skillCount} one="skill" />
          <CountItem value={agent.starCount} one="star" />
          <li>
            Registered <Time at={agent.createdAt} />
          </li>
          {agent.verifications.map(({ subject }) => (
            <li>
              <span class="badge">{subject}, verified</span>
            </li>
          ))}
        </ul>
      </header>
      <SkillBrowser
        {...browse(ctx, query, { publisher: agent.username })}
        path={`/agents/${agent.username}`}
      />
    </Page>
  )
  return { page, markdown: () => agentText(agent, `${baseUrl}${ownerPath(agent.username)}.md`) }
}
