import { chatbotScope, isClassicScope, scopeCatalogue, scopeLevel } from '@skillpass/contract'
import type { AppSettings, ClientSettings } from '../../oauth/apps/settings.ts'
import { describeScopes } from '../../oauth/scopes.ts'
import type { FieldIssues } from '../ui/fields.tsx'
import type { Form } from '../ui/form.ts'
import { Filter } from '../ui/markdown.tsx'
import { capitalize, LinkList, Section } from '../ui/parts.tsx'
import { Reach } from '../ui/scopes.tsx'

/** The developer's choice for a scope. Users can decline optional scopes. */
type ScopeChoice = 'off' | 'required' | 'optional'

type ScopeRow = ReturnType<typeof scopeRows>[number]
type Kind = Pick<AppSettings, 'type' | 'level'>
type Registered = Pick<ClientSettings, 'scopes' | 'optionalScopes'>

/** The scopes to choose from: those offered to this kind of app, and those it already has. */
export function scopeRows(app: Kind, registered: Registered) {
  const all = new Set([...offeredScopes(app), ...registered.scopes, ...registered.optionalScopes])
  return describeScopes([...all]).map((described) => ({
    ...described,
    sentence: app.type === 'server-to-server' ? ofOwner(described.sentence) : described.sentence,
    choice: choiceOf(registered, described.scope),
    choices: choicesOf(app, described.scope),
    isClassic: isClassicScope(described.scope),
  }))
}

/** The sentence of a scope addresses a user; a server-to-server app acts for the account's owner. */
const ofOwner = (sentence: string) =>
  sentence
    .replace('the apps you develop', 'your apps')
    .replace(/\byour\b/, 'the owner’s')
    .replace(/\byou\b/, 'the owner')

function choiceOf({ scopes, optionalScopes }: Registered, scope: string): ScopeChoice {
  if (optionalScopes.includes(scope)) return 'optional'
  return scopes.includes(scope) ? 'required' : 'off'
}

/**
 * Only granular scopes can be optional, and only in apps that ask a user (spec/oauth.md#scopes).
 * The chatbot scope is fixed.
 */
function choicesOf({ type }: Kind, scope: string): readonly ScopeChoice[] {
  if (scope === chatbotScope) return []
  const isAsked = type !== 'server-to-server' && !isClassicScope(scope)
  return isAsked ? ['off', 'required', 'optional'] : ['off', 'required']
}

/** New choices are limited to granular scopes (spec/oauth.md#migration-to-granular-scopes). */
function offeredScopes({ type, level }: Kind): string[] {
  const reachesAll = type === 'server-to-server' || level === 'account'
  return scopeCatalogue
    .map(({ scope }) => scope)
    .filter((scope) => !isClassicScope(scope) && (scope !== chatbotScope || type === 'chatbot'))
    .filter((scope) => reachesAll || ['user', 'bot'].includes(scopeLevel(scope)))
}

const choiceField = (scope: string): string => `pick ${scope}`

/** The form field of an issue with one of these scopes. */
export function fieldOfScope(registered: Registered, [key, index]: readonly string[]) {
  const list = key === 'optionalScopes' ? registered.optionalScopes : registered.scopes
  return { field: choiceField(list[Number(index)] ?? '') }
}

/** Reads the choices of a form. Scopes without a field keep their choice. */
export function readScopeChoices(rows: readonly ScopeRow[], form: Form): Registered {
  const decided = rows.map(({ scope, choice, choices }) => {
    const given = form.one(choiceField(scope))
    // If this kind of app cannot have optional scopes, the choice becomes `required`.
    const wanted = given === 'optional' && !choices.includes('optional') ? 'required' : given
    return { scope, choice: choices.find((one) => one === wanted) ?? choice }
  })
  const of = (choice: ScopeChoice) =>
    decided.filter((row) => row.choice === choice).map(({ scope }) => scope)
  return { scopes: of('required'), optionalScopes: of('optional') }
}

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
  const groups = titles.map((title, index) => (
    <Section id={`scopes-${index}`} title={title} level={3} class="picks">
      <ul>
        {sorted
          .filter((row) => titleOf(row) === title)
          .map((row) => (
            <Pick row={row} issue={issues[choiceField(row.scope)]} />
          ))}
      </ul>
    </Section>
  ))
  return (
    <>
      <nav class="facets" aria-label="Services">
        <LinkList links={titles.map((label, index) => ({ label, path: `#scopes-${index}` }))} />
        <Filter label="Filter" />
      </nav>
      {groups}
    </>
  )
}

/** Without a consent page, a scope is on or off. */
const labelOf = (choice: ScopeChoice, choices: readonly ScopeChoice[]) =>
  choice === 'required' && !choices.includes('optional') ? 'On' : capitalize(choice)

function Pick({ row, issue }: { row: ScopeRow; issue: string | undefined }) {
  const { scope, sentence, level, choice, choices } = row
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
                name={choiceField(scope)}
                value={one}
                checked={one === choice}
              />
              <label for={`${id}-${one}`}>{labelOf(one, choices)}</label>
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
