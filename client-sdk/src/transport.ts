import type { CallOptions } from './call.ts'
import { ConnectionError, TimeoutError } from './errors.ts'

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string | Uint8Array<ArrayBuffer> | Blob | undefined
  /** Whether a second time does no more than the first. */
  readonly repeatable: boolean
  /** `manual` where the body holds a secret, which a redirect would carry to another address. */
  readonly redirect: 'follow' | 'manual'
}

/** An answer, read to its end. */
export interface WireAnswer {
  /** Where it came from, after redirections; empty where the fetch in use does not tell. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly bytes: ArrayBuffer
}

/** Time and chance, so that tests can set them. */
export interface WaitingClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Waits; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
  /** 0 to 1. */
  random(): number
}

/** What the transport is made of. */
export interface Wire {
  readonly fetch: typeof fetch
  readonly clock: WaitingClock
  readonly timeoutMs: number
  readonly retries: number
}

/** Longest wait before a retry. A service that asks for more gets no retry: the call fails at once. */
export const maxRetryWaitMs = 30_000

const backoff = { firstMs: 500, maxMs: 8_000 }

export const systemClock: WaitingClock = {
  now: Date.now,
  random: Math.random,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const aborted = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', aborted)
        resolve()
      }, ms)
      signal?.addEventListener('abort', aborted, { once: true })
    }),
}

/**
 * Sends a request and repeats it where that is safe: after 429 always, since it was refused before
 * it was acted on; after 503 and a broken connection only what is `repeatable`.
 */
export async function send(
  wire: Wire,
  request: WireRequest,
  options: CallOptions,
): Promise<WireAnswer> {
  const { signal, timeoutMs = wire.timeoutMs, retries = wire.retries } = options
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted()
    const last = attempt >= retries
    const outcome = await attemptOnce(wire.fetch, request, timeoutMs, signal).catch((error) => {
      if (last || !request.repeatable || !(error instanceof ConnectionError)) throw error
      return undefined
    })
    if (outcome && (last || !mayRepeat(outcome.status, request.repeatable))) return outcome
    const asked = outcome && retryAfterSeconds(outcome.headers, wire.clock.now())
    const wait = asked === undefined ? jittered(attempt, wire.clock) : asked * 1000
    if (outcome && wait > maxRetryWaitMs) return outcome
    await wire.clock.sleep(wait, signal)
  }
}

const mayRepeat = (status: number, repeatable: boolean) =>
  status === 429 || (status === 503 && repeatable)

/** Exponential, between half and whole, so that clients that failed together do not return together. */
const jittered = (attempt: number, clock: WaitingClock) =>
  Math.min(backoff.maxMs, backoff.firstMs * 2 ** attempt) * (0.5 + clock.random() / 2)

/** Seconds that `Retry-After` asks for: a number, or the time until a date (RFC 9110 §10.2.3). */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')
  if (!value) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}

/** One attempt. The limit covers the body too: a server may stall after its headers. */
async function attemptOnce(
  fetcher: typeof fetch,
  { method, url, headers, body, redirect }: WireRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<WireAnswer> {
  // AbortSignal.any and AbortSignal.timeout would do, but are collected too early on Node 20.
  const stop = new AbortController()
  const abort = () => stop.abort(signal?.reason)
  const limited = timeoutMs > 0 && Number.isFinite(timeoutMs)
  const timer = limited
    ? setTimeout(() => {
        const message = `${method} ${url} got no answer within ${timeoutMs} ms.`
        stop.abort(new TimeoutError({ message }))
      }, timeoutMs)
    : undefined
  signal?.addEventListener('abort', abort, { once: true })
  try {
    // Left alone, fetch adds "Cache-Control: no-cache" to a conditional request, and many servers,
    // Express among them, then never answer 304.
    const conditional = headers.has('if-none-match')
    const init: RequestInit = {
      method,
      headers,
      redirect,
      signal: stop.signal,
      ...(conditional && { cache: 'no-cache' }),
      ...(body !== undefined && { body }),
    }
    const response = await fetcher(url, init)
    const bytes = await response.arrayBuffer()
    const { url: from, status } = response
    return { url: from, status, headers: response.headers, bytes }
  } catch (cause) {
    if (stop.signal.aborted) throw stop.signal.reason
    throw new ConnectionError({ message: `Could not reach ${url}: ${reasonOf(cause)}.`, cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Node says "fetch failed" and hides the reason in a chain of causes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reasonOf(error.cause)
  const code = 'code' in error ? String(error.code) : ''
  return error.message || code || error.name
}
