import type { DescribedScope } from '../../oauth/scopes.ts'
import { PostForm } from './account.tsx'
import { Submit } from './fields.tsx'
import { Icon } from './icons.tsx'
import { Section } from './parts.tsx'
import type { HiddenFields } from './site.ts'

/** Badges of scopes that reach beyond the user's own data. */
const reach = { user: undefined, admin: 'Whole account', master: 'Sub-accounts', bot: 'Bot' }

export const Reach = ({ level }: Pick<DescribedScope, 'level'>) =>
  reach[level] ? <span class="badge strong">{reach[level]}</span> : null

interface ScopeListProps {
  scopes: DescribedScope[]
  added?: readonly string[]
}

export const ScopeList = ({ scopes, added = [] }: ScopeListProps) => (
  <ul class="scopes">
    {scopes.map(({ scope, level, sentence }) => (
      <li>
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

/** Optional scopes, unchecked by default. Each checkbox is labelled with its scope's name. */
const ScopeChoices = ({ scopes }: { scopes: DescribedScope[] }) => (
  <ul class="scopes">
    {scopes.map(({ scope, level, sentence }, index) => {
      const id = `optional-${index}`
      return (
        <li>
          <input
            type="checkbox"
            id={id}
            name="scope"
            value={scope}
            aria-labelledby={`${id}-name`}
            aria-describedby={`${id}-description`}
          />
          <div>
            <label for={id} id={`${id}-description`}>
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

interface Wanted {
  required: DescribedScope[]
  optional: DescribedScope[]
}

/** The scopes that an app requests, read-only, for admins who approve it. */
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
          scopes.length > 0 && (
            <>
              <p class="muted">{title}</p>
              <ScopeList scopes={scopes} added={added} />
            </>
          ),
      )}
    </>
  )
}

interface DecisionFormProps {
  action: string
  values: HiddenFields
  asked: Wanted
}

/** The consent form. Deny comes first, because Enter in a checkbox activates the first button. */
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
          title={required.length > 0 ? 'Choose what else to allow' : 'Choose what to allow'}
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
