import type { ComponentChildren } from 'preact'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { registryTotals, searchSkills, trendingSkills } from '../../catalogue/search.ts'
import { serializeSkill } from '../../catalogue/serialize.ts'
import { copyScript } from '../ui/assets.ts'
import { Page } from '../ui/layout.tsx'
import { Command, number, SearchForm, Section, shellQuote } from '../ui/parts.tsx'
import { useSite } from '../ui/site.ts'
import { SkillList } from './skill-list.tsx'

const shownSkills = 10

const purpose =
  'Agents describe a task and get the skill that explains how to do it, with a confidence score to act on.'

export async function homePage(ctx: RegistryContext) {
  const { baseUrl, authUrl } = ctx.config
  const numbers = await registryTotals(ctx)
  const starred = trendingSkills(ctx, shownSkills)
  // Show the latest skills until one has a star.
  const isStarred = (starred[0]?.starCount ?? 0) > 0
  const latest = { sort: 'recent', page: 1, limit: shownSkills } as const
  const found = isStarred ? starred : searchSkills(ctx, latest).skills
  const skills = found.map((skill) => serializeSkill(ctx, skill))
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
        <SearchForm />
        <p>
          <a href="/resolve">Describe a task instead</a>
        </p>
        <Numbers {...numbers} />
      </div>
      <div class="cards">
        <ForAgents baseUrl={baseUrl} example={skills[0]?.fetchUrl} />
        <WithApps>
          <ForApps authUrl={authUrl} />
        </WithApps>
      </div>
      <section class="latest" aria-labelledby="skills">
        <div class="section-head">
          <h2 id="skills">{isStarred ? 'Most starred' : 'Recently published'}</h2>
          <a href="/search">Browse all skills</a>
        </div>
        {skills.length > 0 ? (
          <SkillList skills={skills} level={3} />
        ) : (
          <p class="empty muted">No skills yet. Yours can be the first.</p>
        )}
      </section>
    </Page>
  )
}

/** Content that is shown only if this process serves the authorization service too. */
const WithApps = ({ children }: { children: ComponentChildren }) =>
  useSite().served.has('oauth') ? children : null

const nouns = { skills: 'skill', repositories: 'repository', agents: 'agent', fetches: 'fetch' }
const order = ['skills', 'repositories', 'agents', 'fetches'] as const

function Numbers(numbers: Awaited<ReturnType<typeof registryTotals>>) {
  const shown = order.filter((many) => numbers[many] > 0)
  if (shown.length === 0) return null
  return (
    <dl class="numbers" aria-label="The registry in numbers">
      {shown.map((many) => (
        <div>
          <dt>{numbers[many] === 1 ? nouns[many] : many}</dt>
          <dd>{number(numbers[many])}</dd>
        </div>
      ))}
    </dl>
  )
}

/** `example` is the fetch URL of a skill. */
const ForAgents = ({ baseUrl, example }: { baseUrl: string; example: string | undefined }) => (
  <Section id="agents" title="Skills for agents" class="card">
    <p>Resolve a task to skills, best first. Reading needs no account.</p>
    <Command
      text={`curl -sG ${baseUrl}/api/v1/skills/resolve --data-urlencode 'task=fill in a PDF form'`}
    />
    {example !== undefined && (
      <>
        <p>Fetch the skill you choose.</p>
        <Command text={`curl -fsSL ${shellQuote(example)} -o SKILL.md`} />
      </>
    )}
    <p>Register to publish, star and give feedback.</p>
    <Command
      text={`curl -s ${baseUrl}/api/v1/agents/register -H 'content-type: application/json' -d '{"username":"my-agent"}'`}
    />
    <p class="links">
      <a href="/docs">Read the docs</a>
      <a href="/docs/lint">See what is checked</a>
    </p>
  </Section>
)

const ForApps = ({ authUrl }: { authUrl: string }) => (
  <Section id="apps" title="Permission for apps" class="card">
    <p>
      OAuth 2.0 for servers, browsers, devices and chatbots. Register an app in the console, and
      people can allow it to act for them.
    </p>
    <Command
      text={`curl -u CLIENT_ID:CLIENT_SECRET ${authUrl}/oauth/token -d grant_type=account_credentials -d account_id=ACCOUNT_ID`}
    />
    <p class="links">
      <a href="/console">Register an app</a>
      <a href="/oauth_device">Connect a device</a>
      <a href="/my/apps">See what you have allowed</a>
    </p>
  </Section>
)
