const minute = 60_000

/** Wait after each failed attempt, ms (open-points D): all but three days in the end. */
const gaps = [5, 20, 60, 3 * 60, 6 * 60, 12 * 60, 20 * 60, 29 * 60].map((count) => count * minute)

/** An event is given up when its next attempt would come this long after it, ms. */
const patience = 3 * 24 * 60 * minute

/** When to try again after the attempt with this number (from 1) failed at `now`, ms; never: null. */
export function nextAttemptAt(attempt: number, createdAt: number, now: number): number | null {
  const next = now + (gaps[Math.min(attempt, gaps.length) - 1] ?? 0)
  return attempt > gaps.length || next > createdAt + patience ? null : next
}
