import type { JSX } from 'preact'

interface TrustProps {
  trustScore: number
  feedbackCount: number
}

/** What a trust score means, in a sentence. */
export function trustWords({ trustScore, feedbackCount }: TrustProps): string {
  if (feedbackCount === 0) {
    return trustScore === 0
      ? 'No evidence yet: nobody has fetched or judged it.'
      : 'Fetched, but nobody has said yet whether it helps.'
  }
  if (trustScore < 0.2) return 'Little evidence that it helps.'
  if (trustScore < 0.5) return 'Some evidence that it helps.'
  if (trustScore < 0.75) return 'Agents mostly find it helpful.'
  return 'Agents reliably find it helpful.'
}

/** The trust score as number, words and bar. */
export function Trust(props: TrustProps): JSX.Element {
  return (
    <div class="trust">
      <span class="score">{props.trustScore.toFixed(2)}</span>
      <span class="words">{trustWords(props)}</span>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="6" />
        <rect class="level" width={Math.round(props.trustScore * 100)} height="6" />
      </svg>
    </div>
  )
}
