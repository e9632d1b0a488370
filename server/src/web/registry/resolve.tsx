import { bounds, contract } from '@skillpass/contract'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { resolveTask } from '../../catalogue/resolve.ts'
import { serializeResolved } from '../../catalogue/serialize.ts'
import { copyScript } from '../ui/assets.ts'
import { describeFields, Submit } from '../ui/fields.tsx'
import { Page } from '../ui/layout.tsx'
import { Command, counted, Facts, number, percent, Section, shellQuote } from '../ui/parts.tsx'
import { type ResolveFormValues, type ResolveQuery, resolvePath, searchPath } from './queries.ts'
import { ResolvedSkillRow } from './resolved-skill.tsx'
import { resolvedText } from './texts.ts'

/** The skills for a task, with their confidence and an explanation. */
export function resolveRepresentations(ctx: RegistryContext, asked: ResolveFormValues) {
  const { query, issues } = asked
  const answer = query && serializeResolved(ctx, resolveTask(ctx, query))
  const page = () => (
    <Page
      title={query ? `Skills for “${start(query.task)}”` : 'Resolve a task'}
      description="Describe a task and see which skills fit, how sure that is, and why."
      markdownUrl={resolvePath(query ?? {}, '/resolve.md')}
      indexed={query === undefined}
      scripts={[copyScript.url]}
    >
      <h1>Resolve a task</h1>
      <p class="lede">
        Describe what your agent needs to do. Skillpass reads every skill in full and shows which
        ones fit, how sure it is, and why.
      </p>
      <Form {...asked} />
      {query && answer && <Answer ctx={ctx} asked={query} {...answer} />}
    </Page>
  )
  const [field] = Object.entries(issues)
  const markdown = () =>
    query && answer
      ? resolvedText(query.task, answer.data)
      : `# Resolve a task\n\n${field?.join(': ') ?? 'Put the task in `task`.'}\n`
  return { page, markdown }
}

function start(task: string): string {
  const characters = [...task]
  return characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : task
}

const fields = describeFields({
  task: {
    label: 'Task',
    rows: 4,
    prose: true,
    required: true,
    placeholder: 'Fill in the customs form declaration.pdf from the order in order.json',
  },
  threshold: {
    label: 'At least this sure',
    hint: '0 to 1: 0.3 is 30%',
    number: { min: 0, max: 1, step: 'any' },
  },
  limit: {
    label: 'At most this many skills',
    hint: `1 to ${bounds.resolveLimit.max}`,
    number: { min: 1, max: bounds.resolveLimit.max, step: 1 },
  },
})

function Form({ form, issues }: ResolveFormValues) {
  const field = fields.show(form, issues)
  return (
    <form class="resolve" action="/resolve" method="get">
      {field('task')}
      <div class="settings">
        <Submit>Resolve</Submit>
        <details open={Boolean(issues.threshold ?? issues.limit)}>
          <summary>Options</summary>
          {field('threshold')}
          {field('limit')}
        </details>
      </div>
    </form>
  )
}

/** Longest task, in characters, that is shown as a command. */
const longestShown = 300

type Resolved = ReturnType<typeof serializeResolved>
type AnswerProps = Resolved & { ctx: RegistryContext; asked: ResolveQuery }

function Answer({ ctx, asked, data, matched, threshold, tokenWeights }: AnswerProps) {
  const apiPath = resolvePath(asked, contract.registry.skills.resolve.path)
  return (
    <div class="columns answer">
      <div>
        {data.length === 0 ? (
          <Nothing query={asked} />
        ) : (
          <>
            <div class="section-head">
              <h2>
                {counted(matched, 'skill')} {matched === 1 ? 'fits' : 'fit'}
              </h2>
              <p class="muted">
                {threshold > 0 && `At least ${percent(threshold)} sure. `}
                {matched > data.length && `Showing the best ${number(data.length)}. `}
                <a href={apiPath}>View as JSON</a>
              </p>
            </div>
            <ol class="skills resolved">
              {data.map((hit, index) => (
                <ResolvedSkillRow ctx={ctx} hit={hit} rank={index + 1} />
              ))}
            </ol>
          </>
        )}
      </div>
      <aside class="stack" aria-label="About this answer">
        {asked.task.length <= longestShown && (
          <Section id="ask" title="From an agent" class="panel">
            <Command text={`curl -s ${shellQuote(ctx.config.baseUrl + apiPath)}`} />
          </Section>
        )}
        <TokenWeights weights={tokenWeights} />
      </aside>
    </div>
  )
}

/** Thresholds that an empty result offers, if they are lower than the current one. */
const lowerThresholds = [0.1, 0]

function Nothing({ query }: { query: ResolveQuery }) {
  const { task, threshold } = query
  return (
    <div class="empty">
      <h2>
        {threshold === 0
          ? 'No skill contains any of these words'
          : `No skill is at least ${percent(threshold)} sure to fit`}
      </h2>
      {threshold > 0 && (
        <p>No skill fits this task well enough, and a wrong skill is worse than no skill.</p>
      )}
      <ul>
        {lowerThresholds
          .filter((lower) => lower < threshold)
          .map((lower) => (
            <li>
              <a href={resolvePath({ ...query, threshold: lower })}>
                {lower === 0
                  ? 'Show the closest skills anyway'
                  : `Show skills from ${percent(lower)}`}
              </a>
            </li>
          ))}
        <li>Describe the task differently: name the goal, the inputs and the tools.</li>
        <li>
          <a href={searchPath({ q: task.slice(0, bounds.query) })}>
            Search names and descriptions instead
          </a>
        </li>
      </ul>
    </div>
  )
}

/** Number of words listed. */
const shownWords = 30

/** The weight of each word of a task, in descending order, relative to the heaviest. */
function TokenWeights({ weights }: { weights: Readonly<Record<string, number>> }) {
  const rows = Object.entries(weights).sort(([, a], [, b]) => b - a)
  const heaviest = rows[0]?.[1] ?? 0
  if (heaviest <= 0) return null
  return (
    <details class="panel">
      <summary>How much each word counts</summary>
      <Facts
        facts={rows
          .slice(0, shownWords)
          .map(([token, weight]) => [token, percent(weight / heaviest)])}
      />
      <p class="hint">
        The rarer a word is across all skills, the more it counts (its IDF). Words that the task
        only quotes or mentions in passing count less. Very common words are left out.
      </p>
    </details>
  )
}
