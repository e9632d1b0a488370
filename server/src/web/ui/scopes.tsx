import type { DescribedScope } from '../../oauth/scopes.ts'
import { PostForm } from './account.tsx'
import { Submit } from './fields.tsx'
import { Icon } from './icons.tsx'
import { Section } from './parts.tsx'
import type { HiddenFields } from './site.ts'

/** Whose data a scope opens, where that is more than the person's own. */
const reach = { user: undefined, admin: 'Whole account', master: 'Sub-accounts', bot: 'Bot' }

export function Reach({ level }: Pick<DescribedScope, 'level'>) {
  return reach[level] ? <span class="badge strong">{reach[level]}</span> : null
}

interface ScopeListProps {
  scopes: DescribedScope[]
  /** Those of them to mark as new. */
  added?: readonly string[]
}

export function ScopeList({ scopes, added = [] }: ScopeListProps) {
  return (
    <ul class="scopes">
      {scopes.map(({ scope, level, sentence }) => (
        <li key={scope}>
          <Icon name="yes" />
          <div>
            {sentence} <Reach level={level} />
            {added.includes(scope) && <span class="badge strong">New</span>}
            <span class="name mono">{scope}</span>
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Scopes where the person chooses, none of them by default; each box is named by its scope and described by the words. */
function ScopeChoices({ scopes }: { scopes: DescribedScope[] }) {
  return (
    <ul class="scopes">
      {scopes.map(({ scope, level, sentence }, index) => {
        const id = `optional-${index}`
        return (
          <li key={scope}>
            <input
              type="checkbox"
              id={id}
              name="scope"
              value={scope}
              aria-labelledby={`${id}-name`}
              aria-describedby={`${id}-words`}
            />
            <div>
              <label for={id} id={`${id}-words`}>
                {sentence} <Reach level={level} />
              </label>
              <label for={id} id={`${id}-name`} class="name mono">
                {scope}
              </label>
            </div>
          </li>
        )
      })}
    </ul>
  )
}

interface Wanted {
  required: DescribedScope[]
  optional: DescribedScope[]
}

/** What an app asks for, to decide on it for others: an admin's list, without anything to tick. */
export function WantedScopes(props: Wanted & Pick<ScopeListProps, 'added'>) {
  const { required, optional, added = [] } = props
  const lists = [
    ['It asks each person to allow:', required],
    ['Each person can choose to allow:', optional],
  ] as const
  return (
    <>
      {lists.map(
        ([title, scopes]) =>
          scopes.length > 0 && [
            <p key="title" class="muted">
              {title}
            </p>,
            <ScopeList key="list" scopes={scopes} added={added} />,
          ],
      )}
    </>
  )
}

interface DecisionFormProps {
  action: string
  values: HiddenFields
  asked: Wanted
}

/**
 * Asks a person what an app may do: what comes with Allow, and what may be left out. Deny comes first: it
 * is what Enter in a checkbox does.
 */
export function DecisionForm({ action, values, asked }: DecisionFormProps) {
  const { required, optional } = asked
  return (
    <PostForm action={action} values={values} class="stack">
      {required.length > 0 && (
        <Section id="required" title="It will be able to">
          <ScopeList scopes={required} />
        </Section>
      )}
      {optional.length > 0 && (
        <Section
          id="optional"
          title={required.length > 0 ? 'Tick to allow as well' : 'Tick what it may do'}
        >
          <ScopeChoices scopes={optional} />
        </Section>
      )}
      <div class="decide">
        <Submit look="plain" name="decision" value="deny">
          Deny
        </Submit>
        <Submit name="decision" value="allow">
          Allow
        </Submit>
      </div>
    </PostForm>
  )
}
