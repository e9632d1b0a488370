import type { Context } from '../runtime/context.ts'
import type { OutboundResult } from '../runtime/outbound/send-request.ts'
import * as store from '../store/webhooks.ts'
import { findEndpoint } from '../store/webhooks.ts'
import { postSigned } from './sign.ts'
import { validate } from './validate.ts'

/** The result of an attempt: its metric label, the response status, and the error. */
interface Outcome {
  readonly outcome: 'delivered' | 'refused' | 'failed' | 'not_allowed' | 'not_validated'
  readonly status: number | null
  readonly error: string | null
}

/** Makes and records an attempt to deliver an event. Returns undefined if it was aborted. */
export async function deliver(ctx: Context, event: store.TakenEvent, signal: AbortSignal) {
  const startedAt = ctx.steadyNow()
  const started = performance.now()
  const outcome = await attempt(ctx, event, signal)
  if (signal.aborted && outcome.outcome !== 'delivered') {
    await ctx.db.write((trx) => store.scheduleEvent(trx, event, startedAt, startedAt))
    return undefined
  }
  const durationMs = Math.round(performance.now() - started)
  const { status, error } = outcome
  const now = ctx.steadyNow()
  const isDeliveredNow = outcome.outcome === 'delivered'
  await ctx.db.write(async (trx) => {
    const counted = await store.countAttempt(trx, event.id)
    if (!counted) return
    const { number, wasDelivered } = counted
    await store.insertAttempt(trx, event.id, { number, startedAt, durationMs, status, error })
    if (isDeliveredNow) await store.markDelivered(trx, event.id, now)
    // A test, and a redelivery of a delivered event, are attempted only once.
    const isDone = isDeliveredNow || wasDelivered || event.event === 'endpoint.test'
    const nextAttempt = isDone ? null : nextAttemptAt(number, event.createdAt, now)
    await store.scheduleEvent(trx, event, nextAttempt, now)
  })
  return outcome
}

/** Validates the endpoint if necessary, and sends the event. */
async function attempt(base: Context, event: store.TakenEvent, signal: AbortSignal) {
  const ctx = { ...base, trace: event.trace }
  const endpoint = await findEndpoint(ctx.db.read, event.appId)
  if (!endpoint?.url) {
    return { outcome: 'failed', status: null, error: 'The app has no address for webhooks.' }
  }
  const { url, validatedUrl } = endpoint
  if (url !== validatedUrl) {
    const { result, issue } = await validate(ctx, { ...endpoint, url }, signal)
    if (issue !== undefined) {
      const { outcome, status } = outcomeOf(result)
      const isUnvalidated = result.kind === 'answered'
      return { outcome: isUnvalidated ? 'not_validated' : outcome, status, error: issue }
    }
  }
  return outcomeOf(await postSigned(ctx, { ...endpoint, url }, event, signal))
}

function outcomeOf(result: OutboundResult): Outcome {
  if (result.kind !== 'answered') {
    const outcome = result.kind === 'failed' ? 'failed' : 'not_allowed'
    return { outcome, status: null, error: result.reason }
  }
  const { status } = result
  // spec/decisions.md#delivery. The body is not recorded.
  if (status === 200 || status === 204) return { outcome: 'delivered', status, error: null }
  const isRedirect = status >= 300 && status < 400
  const hint = isRedirect ? ' Redirects are not followed.' : ''
  return {
    outcome: 'refused',
    status,
    error: `The endpoint returned ${status} instead of 200 or 204.${hint}`,
  }
}

const minute = 60_000

/** Delays after failed attempts, almost three days in total, ms. */
const retryDelays = [5, 20, 60, 3 * 60, 6 * 60, 12 * 60, 20 * 60, 29 * 60].map(
  (count) => count * minute,
)

/** Time after an event was created when attempts stop, ms. */
const maxAge = 3 * 24 * 60 * minute

/** Time of the next attempt after attempt `attempt` (from 1) failed at `now`, ms, or null. */
function nextAttemptAt(attempt: number, createdAt: number, now: number): number | null {
  const next = now + (retryDelays[Math.min(attempt, retryDelays.length) - 1] ?? 0)
  return attempt > retryDelays.length || next > createdAt + maxAge ? null : next
}
