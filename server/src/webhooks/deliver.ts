import type { Posted } from '../outbound/post.ts'
import type { WebhookContext } from './context.ts'
import { nextAttemptAt } from './schedule.ts'
import { insertAttempt } from './store/deliveries.ts'
import { findEndpoint } from './store/endpoints.ts'
import { countAttempt, markDelivered, scheduleEvent, type TakenEvent } from './store/events.ts'
import { postSigned, validate } from './validate.ts'

/** What came of an attempt: the label of its count, the endpoint's answer, and what was wrong. */
export interface Outcome {
  readonly outcome: 'delivered' | 'refused' | 'failed' | 'not_allowed' | 'not_validated'
  readonly status: number | null
  readonly error: string | null
}

/**
 * Makes one attempt to deliver an event and writes down what came of it; an attempt that `signal`
 * breaks off never was. Gives its outcome, or nothing where it was broken off.
 */
export async function deliver(
  ctx: WebhookContext,
  event: TakenEvent,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const startedAt = ctx.steadyNow()
  const started = performance.now()
  const outcome = await attempt(ctx, event, signal)
  if (signal.aborted && outcome.outcome !== 'delivered') {
    await ctx.db.write((trx) => scheduleEvent(trx, event, startedAt, startedAt))
    return undefined
  }
  const durationMs = Math.round(performance.now() - started)
  const { status, error } = outcome
  const now = ctx.steadyNow()
  const isArrived = outcome.outcome === 'delivered'
  await ctx.db.write(async (trx) => {
    const counted = await countAttempt(trx, event.id)
    if (!counted) return
    const { number, isDelivered } = counted
    await insertAttempt(trx, event.id, { number, startedAt, durationMs, status, error })
    if (isArrived) await markDelivered(trx, event.id, now)
    // An event that was delivered before is sent once for each time that it is asked for.
    const isOver = isArrived || isDelivered
    await scheduleEvent(
      trx,
      event,
      isOver ? null : nextAttemptAt(number, event.createdAt, now),
      now,
    )
  })
  return outcome
}

/** Validates the endpoint where nobody has, and sends. */
async function attempt(
  base: WebhookContext,
  event: TakenEvent,
  signal: AbortSignal,
): Promise<Outcome> {
  const ctx = { ...base, trace: event.trace }
  const endpoint = await findEndpoint(ctx.db.read, event.appId)
  if (!endpoint?.url) {
    return { outcome: 'failed', status: null, error: 'The app has no deauthorization address.' }
  }
  const { url, validatedUrl } = endpoint
  if (url !== validatedUrl) {
    const { posted, issue } = await validate(ctx, { ...endpoint, url }, signal)
    if (issue !== undefined) {
      const { outcome, status } = outcomeOf(posted)
      const isUnvalidated = posted.kind === 'answered'
      return { outcome: isUnvalidated ? 'not_validated' : outcome, status, error: issue }
    }
  }
  return outcomeOf(await postSigned(ctx, { ...endpoint, url }, event, signal))
}

function outcomeOf(posted: Posted): Outcome {
  if (posted.kind !== 'answered') {
    const outcome = posted.kind === 'failed' ? 'failed' : 'not_allowed'
    return { outcome, status: null, error: posted.reason }
  }
  const { status } = posted
  // Open-points D; what the answer says besides is nobody's business.
  if (status === 200 || status === 204) return { outcome: 'delivered', status, error: null }
  const isRedirect = status >= 300 && status < 400
  const hint = isRedirect ? ' Redirects are not followed.' : ''
  return {
    outcome: 'refused',
    status,
    error: `The endpoint answered ${status}, in place of 200 or 204.${hint}`,
  }
}
