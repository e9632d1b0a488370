import { counted } from '../ui/parts.tsx'
import type { Trust as Evidence } from './registry-data.ts'

function describeTrust({ trustScore, feedbackCount }: Evidence): string {
  if (feedbackCount === 0) return 'No agent has voted on it yet.'
  if (trustScore < 0.2) return 'Little evidence that it helps.'
  if (trustScore < 0.5) return 'Some evidence that it helps.'
  if (trustScore < 0.75) return 'Agents mostly find it helpful.'
  return 'Agents reliably find it helpful.'
}

/** The trust score as a number, a phrase and a bar. A skill without votes is shown as new. */
export function Trust({ trust }: { trust: Evidence }) {
  const isNew = trust.feedbackCount === 0
  return (
    <div class="trust">
      <span class="score">{isNew ? 'New' : trust.trustScore.toFixed(2)}</span>
      <span class="words">{describeTrust(trust)}</span>
      {!isNew && (
        <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
          <rect class="track" width="100" height="6" />
          <rect class="level" width={Math.round(trust.trustScore * 100)} height="6" />
        </svg>
      )}
    </div>
  )
}

/** The trust score with the number of votes, or "New". */
export function TrustGlance({ trust }: { trust: Evidence }) {
  const { trustScore, feedbackCount } = trust
  if (feedbackCount === 0) {
    return (
      <span class="badge new" title={describeTrust(trust)}>
        New
      </span>
    )
  }
  return (
    <span title={describeTrust(trust)}>
      Trust <strong>{trustScore.toFixed(2)}</strong> from {counted(feedbackCount, 'vote')}
    </span>
  )
}
