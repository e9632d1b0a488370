import { bounds } from '@skillpass/contract'
import type { RegistryContext } from '../../discovery/context.ts'
import { resolveTask } from '../../discovery/resolve.ts'
import { serializeResolved } from '../../discovery/serialize/skills.ts'
import { copyScript } from '../ui/assets.ts'
import { Submit, TextField } from '../ui/fields.tsx'
import { Page } from '../ui/layout.tsx'
import { Command, counted, number, Section, shellQuote } from '../ui/parts.tsx'
import { resolvedText } from './lists-text.ts'
import {
  type ReadResolveForm,
  type ResolveQuery,
  resolveApiPath,
  resolvePath,
} from './resolve-query.ts'
import { ResolvedSkillRow } from './resolved-skill.tsx'
import { searchPath } from './search-query.ts'
import { TokenWeights } from './token-weights.tsx'

/** The skills for a task, with their confidence and an explanation. */
export function resolveRepresentations(ctx: RegistryContext, asked: ReadResolveForm) {
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
      {query && answer && <Answer {...{ ctx, query, answer }} />}
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

const Form = ({ form, issues }: ReadResolveForm) => (
  <form class="resolve" action="/resolve" method="get">
    <TextField
      name="task"
      label="Task"
      value={form.task}
      rows={4}
      prose
      required
      issue={issues.task}
      placeholder="Fill in the customs form declaration.pdf from the order in order.json"
    />
    <div class="settings">
      <TextField
        name="threshold"
        label="Threshold"
        hint="Confidence, 0 to 1"
        value={form.threshold}
        number={{ min: 0, max: 1, step: 'any' }}
        issue={issues.threshold}
      />
      <TextField
        name="limit"
        label="Limit"
        hint={`Skills, 1 to ${bounds.resolveLimit.max}`}
        value={form.limit}
        number={{ min: 1, max: bounds.resolveLimit.max, step: 1 }}
        issue={issues.limit}
      />
      <Submit>Resolve</Submit>
    </div>
  </form>
)

/** Longest task, in characters, that is shown as a command. */
const longestShown = 300

function Answer(props: {
  ctx: RegistryContext
  query: ResolveQuery
  answer: ReturnType<typeof serializeResolved>
}) {
  const { ctx, query } = props
  const { data, matched, threshold, tokenWeights } = props.answer
  return (
    <div class="columns answer">
      <div>
        {data.length === 0 ? (
          <Nothing query={query} />
        ) : (
          <>
            <div class="section-head">
              <h2>{headline(matched, threshold)}</h2>
              <p class="muted">
                {matched > data.length && `Showing the best ${number(data.length)}. `}
                <a href={resolveApiPath(query)}>View as JSON</a>
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
        <TokenWeights weights={tokenWeights} />
        {query.task.length <= longestShown && (
          <Section id="ask" title="From an agent" class="panel">
            <Command text={`curl -s ${shellQuote(ctx.config.baseUrl + resolveApiPath(query))}`} />
          </Section>
        )}
      </aside>
    </div>
  )
}

function headline(matched: number, threshold: number): string {
  const skills = counted(matched, 'skill')
  if (threshold === 0) return `${skills} at any confidence`
  return `${skills} with a confidence of ${threshold} or more`
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
          : `No skill reaches the threshold of ${threshold}`}
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
                {lower === 0 ? 'Show the closest skills anyway' : `Lower the threshold to ${lower}`}
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
