import type { FieldIssues } from '../ui/fields.tsx'
import { capitalize } from '../ui/format.tsx'
import { Section } from '../ui/parts.tsx'
import { Reach } from '../ui/scopes.tsx'
import { choiceField, type ScopeRow } from './scope-choices.ts'

const services: Record<string, string> = {
  user: 'People',
  meeting: 'Meetings',
  marketplace: 'Apps',
  imchat: 'Team chat',
}

function titleOf({ scope, isClassic }: ScopeRow): string {
  if (isClassic) return 'Classic scopes (legacy)'
  const [service = ''] = scope.split(':')
  return services[service] ?? capitalize(service).replaceAll('_', ' ')
}

/** Scopes grouped by service, classic scopes first, each with its choices. */
export function ScopePicker({ rows, issues }: { rows: readonly ScopeRow[]; issues: FieldIssues }) {
  const sorted = [...rows].sort((a, b) => Number(b.isClassic) - Number(a.isClassic))
  const titles = [...new Set(sorted.map(titleOf))]
  return (
    <>
      {titles.map((title, index) => (
        <Section id={`scopes-${index}`} title={title} level={3} class="picks">
          <ul>
            {sorted
              .filter((row) => titleOf(row) === title)
              .map((row) => (
                <Pick row={row} issue={issues[choiceField(row.scope)]} />
              ))}
          </ul>
        </Section>
      ))}
    </>
  )
}

function Pick({ row, issue }: { row: ScopeRow; issue: string | undefined }) {
  const { scope, sentence, level, choice, choices } = row
  const name = choiceField(scope)
  const id = `pick-${scope}`
  return (
    <li class={`reach-${level}`}>
      <fieldset
        class="pick"
        aria-describedby={issue ? `${id}-mistake ${id}-description` : `${id}-description`}
      >
        <legend class="name mono">{scope}</legend>
        <p id={`${id}-description`}>
          {sentence} <Reach level={level} />
        </p>
        <div class="segments">
          {choices.length === 0 && <span class="muted">Always</span>}
          {choices.map((one) => (
            <span class={one}>
              <input
                type="radio"
                id={`${id}-${one}`}
                name={name}
                value={one}
                checked={one === choice}
              />
              <label for={`${id}-${one}`}>{capitalize(one)}</label>
            </span>
          ))}
        </div>
        {issue && (
          <p class="mistake" id={`${id}-mistake`}>
            {issue}
          </p>
        )}
      </fieldset>
    </li>
  )
}
