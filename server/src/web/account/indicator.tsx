import type { ActiveAccess } from '../../platform/meeting-state.ts'
import { contentNames } from '../../platform/serialize/content-access.ts'
import { indicatorPaths } from '../ui/assets.ts'
import { Section } from '../ui/parts.tsx'

/**
 * The icon that is shown while apps have access to a meeting (spec/oauth.md#in-meeting-indicator). Its
 * tooltip names the content type and the approver. It is a link, so keyboard and touch can open it.
 */
export function Indicator({ accesses }: { accesses: readonly ActiveAccess[] }) {
  if (accesses.length === 0) return null
  return (
    <span class="indicator">
      <a href="#apps" aria-describedby="indicator-tip">
        <svg viewBox="3 3 14 14" width="26" height="26" aria-hidden="true">
          <path d={indicatorPaths.tile} />
          <path class="waves" d={indicatorPaths.waves} />
        </svg>
        <span class="hidden">Apps have access to this meeting</span>
      </a>
      <span class="tip" role="tooltip" id="indicator-tip">
        {accesses.map((access) => (
          <Sentence access={access} />
        ))}
      </span>
    </span>
  )
}

export function AccessList({ accesses }: { accesses: readonly ActiveAccess[] }) {
  return (
    <Section id="apps" title="Apps with access to this meeting" class="accesses">
      {accesses.length === 0 ? (
        <p class="muted">No app has access to this meeting right now.</p>
      ) : (
        <ul>
          {accesses.map((access) => (
            <li>
              <Sentence access={access} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

const Sentence = ({ access: { appName, contentType, approvedBy } }: { access: ActiveAccess }) => (
  <span class="access">
    <strong>
      <bdi>{appName}</bdi>
    </strong>{' '}
    has access to {contentNames[contentType]}. Approved by <bdi>{approvedBy}</bdi>.
  </span>
)
