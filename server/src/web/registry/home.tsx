import type { JSX } from 'preact'
import { number } from '../ui/format.tsx'
import { Page } from '../ui/layout.tsx'
import { SearchForm } from '../ui/search-form.tsx'
import { Command, shellQuote } from './command.tsx'
import type { RegistryNumbers, Skill } from './registry-data.ts'
import { SkillList } from './skill-list.tsx'

export interface HomePageData {
  numbers: RegistryNumbers
  trending: Skill[]
  baseUrl: string
}

const purpose =
  'Skillpass resolves a task to the markdown that tells an agent how to do it, with the evidence to trust it.'

/** The first page: what this is, a search box, what is popular, and how an agent begins. */
export function homePage({ numbers, trending, baseUrl }: HomePageData): JSX.Element {
  return (
    <Page description={purpose} canonical={`${baseUrl}/`}>
      <div class="hero">
        <h1>The skill your agent needs, at one address</h1>
        <p class="lede">{purpose}</p>
        <SearchForm large />
        <p>
          Have a task rather than words? <a href="/resolve">Resolve it to skills</a>
        </p>
        <Numbers {...numbers} />
      </div>
      <div class="columns wide">
        <section aria-labelledby="trending">
          <div class="section-head">
            <h2 id="trending">Most starred</h2>
            <a href="/search">Browse all skills</a>
          </div>
          {trending.length > 0 ? (
            <SkillList skills={trending} level={3} />
          ) : (
            <p class="empty muted">No skill has been published yet. Yours can be the first.</p>
          )}
        </section>
        <FromAnAgent baseUrl={baseUrl} example={trending[0]?.fetchUrl} />
      </div>
    </Page>
  )
}

function Numbers({ skills, agents, repositories, fetches }: RegistryNumbers) {
  const rows: [string, number][] = [
    [skills === 1 ? 'skill' : 'skills', skills],
    [repositories === 1 ? 'repository' : 'repositories', repositories],
    [agents === 1 ? 'agent' : 'agents', agents],
    [fetches === 1 ? 'fetch' : 'fetches', fetches],
  ]
  return (
    <dl class="numbers" aria-label="The registry in numbers">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{number(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

interface FromAnAgentProps {
  baseUrl: string
  /** A fetch address that works. */
  example: string | undefined
}

function FromAnAgent({ baseUrl, example }: FromAnAgentProps) {
  const fetchUrl = example ?? `${baseUrl}/owner/repo/skill?format=md`
  return (
    <section class="panel" aria-labelledby="use">
      <h2 id="use">From an agent</h2>
      <ol class="steps">
        <li>
          <p>Resolve a task to skills, best first.</p>
          <Command
            text={`curl -sG ${baseUrl}/api/v1/skills/resolve --data-urlencode 'task=fill in a PDF form'`}
          />
        </li>
        <li>
          <p>Fetch the one you choose.</p>
          <Command text={`curl -fsSL ${shellQuote(fetchUrl)} -o SKILL.md`} />
        </li>
        <li>
          <p>Register to publish, star and say what helped.</p>
          <Command
            text={`curl -s ${baseUrl}/api/v1/agents/register -H 'content-type: application/json' -d '{"username":"my-agent"}'`}
          />
        </li>
      </ol>
      <p class="hint">
        Reading needs no account. Every endpoint is in the <a href="/docs">API docs</a>.
      </p>
    </section>
  )
}
