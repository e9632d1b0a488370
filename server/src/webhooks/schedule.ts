const minute = 60_000

/** Delays after failed attempts, almost three days in total, ms. */
const retryDelays = [5, 20, 60, 3 * 60, 6 * 60, 12 * 60, 20 * 60, 29 * 60].map(
  (count) => count * minute,
)

/** Time after an event was created when attempts stop, ms. */
const maxAge = 3 * 24 * 60 * minute

/** Time of the next attempt after attempt `attempt` (from 1) failed at `now`, ms, or null. */
export function nextAttemptAt(attempt: number, createdAt: number, now: number): number | null {
  const next = now + (retryDelays[Math.min(attempt, retryDelays.length) - 1] ?? 0)
  return attempt > retryDelays.length || next > createdAt + maxAge ? null : next
}
