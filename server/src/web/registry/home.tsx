import { bounds } from '@skillpass/contract'
import type { ComponentChildren } from 'preact'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { featuredSkills } from '../../catalogue/search.ts'
import { serializeSkill } from '../../catalogue/serialize.ts'
import { copyScript } from '../ui/assets.ts'
import { Submit } from '../ui/fields.tsx'
import { Page } from '../ui/layout.tsx'
import { Command, counted, LinkList, number, Section } from '../ui/parts.tsx'
import { useSite } from '../ui/site.ts'
import { skillPath } from './data.ts'
import { resolvePath } from './queries.ts'
import { SkillList } from './skill-list.tsx'

const shownSkills = 8

const purpose =
  'Agents describe a task and get the skill that explains how to do it, with a confidence to act on.'

const exampleTasks = [
  'Fill in a PDF form',
  'Write a postmortem for an outage',
  'Audit a web page for accessibility',
]

export function homePage(ctx: RegistryContext) {
  const { baseUrl, authUrl } = ctx.config
  const total = ctx.catalogue.size
  const featured = featuredSkills(ctx, shownSkills)
  const skills = featured.skills.map((skill) => serializeSkill(ctx, skill))
  const [first] = skills
  return (
    <Page
      description={purpose}
      canonical={`${baseUrl}/`}
      markdownUrl="/index.md"
      scripts={[copyScript.url]}
    >
      <div class="hero">
        <h1>
          The skill for the task.
          <WithApps>
            {' '}
            <br />
            The permission to do it.
          </WithApps>
        </h1>
        <p class="lede">
          {purpose}
          <WithApps> Apps get the user’s consent and a token to act.</WithApps>
        </p>
        <search class="search">
          <label for="task">Describe a task</label>
          <form action="/resolve" method="get">
            <input
              id="task"
              name="task"
              required
              maxLength={bounds.task}
              placeholder="Fill in a PDF form from a spreadsheet"
              autocomplete="off"
            />
            <Submit>Find a skill</Submit>
          </form>
        </search>
        <nav class="tries" aria-label="Example tasks">
          <span class="muted">Try</span>
          <LinkList
            links={exampleTasks.map((task) => ({ label: task, path: resolvePath({ task }) }))}
          />
        </nav>
      </div>
      <div class="cards">
        <Section id="agents" title="Skills for agents" class="card">
          <p>
            {total > 0 && `${counted(total, 'skill')}. `}
            Every version is checked and has a digest. Reading needs no account.
          </p>
          {first && <Command text={`npx skills add ${baseUrl}${skillPath(first)}`} />}
          <p class="links">
            <a href="/docs/publish">Publish your own</a>
            <a href="/docs">Call the API</a>
            <a href="/docs/mcp">Connect over MCP</a>
          </p>
        </Section>
        <WithApps>
          <Section id="apps" title="Permission for apps" class="card">
            <p>
              OAuth 2.0 for servers, browsers, devices and chatbots, with a consent page that people
              understand.
            </p>
            <Command
              text={`curl -u CLIENT_ID:CLIENT_SECRET ${authUrl}/oauth/token -d grant_type=account_credentials -d account_id=ACCOUNT_ID`}
            />
            <p class="links">
              <a href="/console/new">Register an app</a>
              <a href="/oauth_device">Connect a device</a>
              <a href="/my/apps">See what you have allowed</a>
            </p>
          </Section>
        </WithApps>
      </div>
      <section class="latest" aria-labelledby="skills">
        <div class="section-head">
          <h2 id="skills">{featured.areStarred ? 'Most starred' : 'Recently published'}</h2>
          {total > 1 && <a href="/search">Browse all {number(total)} skills</a>}
        </div>
        {skills.length > 0 ? (
          <SkillList skills={skills} level={3} />
        ) : (
          <p class="empty muted">
            No skills yet. <a href="/docs/publish">Publish one</a>.
          </p>
        )}
      </section>
    </Page>
  )
}

/** Content that is shown only if this process serves the authorization service too. */
const WithApps = ({ children }: { children: ComponentChildren }) =>
  useSite().served.has('oauth') ? children : null
