import { parseScopes } from '@skillpass/contract'
import { type RequestedAccess, requestedAppOf } from '../../oauth/apps/approvals.ts'
import type { Consent } from '../../oauth/authorize.ts'
import type { ApprovedAccess } from '../../oauth/refusals.ts'
import { type DescribedScope, describeScopes } from '../../oauth/scopes.ts'
import { PostForm, Submit } from './fields.tsx'
import { Icon, Section } from './parts.tsx'
import type { HiddenFields } from './site.ts'

/** Badges of scopes that reach beyond the user's own data. */
const reach = { user: undefined, admin: 'Whole account', master: 'Sub-accounts', bot: 'Bot' }

export const Reach = ({ level }: Pick<DescribedScope, 'level'>) =>
  reach[level] ? <span class="badge strong">{reach[level]}</span> : null

type ScopeListProps = { scopes: DescribedScope[]; added?: readonly string[] }

/** A list of scopes, with badges for those that were `added`. */
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

interface DecisionFormProps {
  action: string
  values: HiddenFields
  asked: Pick<Consent, 'required' | 'optional'>
}

/** The consent form. Deny comes first, because Enter in a checkbox activates the first button. */
export const DecisionForm = ({ asked: { required, optional }, ...form }: DecisionFormProps) => (
  <PostForm {...form} class="stack">
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

/** Form fields that record the name and scopes that the admin sees when approving an app. */
export const seenFields = (asked: RequestedAccess) => {
  const { name, scopes } = requestedAppOf(asked)
  return { name, scopes: scopes.join(' ') }
}

/** Scopes that an app requests and no admin has approved. */
function addedScopes({ asked, approved }: ReviewProps): string[] {
  if (!approved) return []
  const known = parseScopes(approved.approvedScopes ?? '')
  return requestedAppOf(asked).scopes.filter((scope) => !known.includes(scope))
}

interface ReviewProps {
  asked: RequestedAccess
  /** What an admin has approved, if the app has changed since. */
  approved: ApprovedAccess | undefined
}

/** The scopes that an app requests, read-only, for admins who approve it. */
export const WantedScopes = (props: ReviewProps) =>
  [
    ['It asks each person to allow:', props.asked.scopes] as const,
    ['Each person can choose to allow:', props.asked.optionalScopes] as const,
  ].map(
    ([title, scopes]) =>
      scopes.length > 0 && (
        <>
          <p class="muted">{title}</p>
          <ScopeList scopes={describeScopes(scopes)} added={addedScopes(props)} />
        </>
      ),
  )

/**
 * Notice about an approved app that changed; nobody can allow the changes until it is approved
 * again.
 */
export function Change({ asked, approved }: { asked: RequestedAccess; approved: ApprovedAccess }) {
  const { approvedName } = approved
  const added = addedScopes({ asked, approved })
  return (
    <p class="notice">
      Changed since it was approved
      {approvedName !== asked.appName && [' as ', <span dir="auto">{approvedName}</span>]}
      {added.length > 0 && `; new: ${added.join(', ')}`}.
    </p>
  )
}
