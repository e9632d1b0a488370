/**
 * Attempts at the same time: of this process; of all endpoints whose last attempt has not arrived; of
 * one endpoint that takes its events; and of one of those others.
 */
export const limits = { all: 64, unproven: 48, endpoint: 4, unprovenEndpoint: 1 }

/** An attempt under way. */
export interface Running {
  readonly appId: string
  readonly isProven: boolean
}

/** An app that has events due. */
export interface Waiting {
  readonly appId: string
  /** Whether its endpoint is validated and has taken the event before. */
  readonly isProven: boolean
  /** When it was served last, by a count that grows; 0 is never. */
  readonly servedAt: number
}

/** How many attempts an app may begin now. */
export interface AttemptShare extends Running {
  readonly limit: number
}

/**
 * Shares the free attempts out: who was served longest ago comes first, however many events it has
 * waiting, and endpoints that fail leave room for the others.
 */
export function shareOut(waiting: readonly Waiting[], running: readonly Running[]): AttemptShare[] {
  const free = limits.all - running.length
  if (free <= 0) return []
  let unproven = limits.unproven - running.filter(({ isProven }) => !isProven).length
  const chosen = waiting
    .filter((app) => roomOf(app, running) > 0)
    .sort((a, b) => a.servedAt - b.servedAt)
    .filter(({ isProven }) => isProven || unproven-- > 0)
    .slice(0, free)
  const share = Math.max(1, Math.floor(free / chosen.length))
  return chosen.map((app) => ({
    appId: app.appId,
    isProven: app.isProven,
    limit: Math.min(share, roomOf(app, running)),
  }))
}

/** How many more attempts an app may have. */
function roomOf({ appId, isProven }: Waiting, running: readonly Running[]): number {
  const busy = running.filter((attempt) => attempt.appId === appId).length
  return (isProven ? limits.endpoint : limits.unprovenEndpoint) - busy
}
