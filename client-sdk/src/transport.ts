import type { CallOptions } from './call.ts'
import { AnswerTooLong, ConnectionError, TimeoutError } from './errors.ts'

/** A request as it goes over the wire. */
export interface WireRequest {
  /** Method and path without what stands in its parameters, `GET /api/v1/skills/:id`. */
  readonly name: string
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string | Uint8Array<ArrayBuffer> | Blob | undefined
  /** Whether a second time does no more than the first. */
  readonly repeatable: boolean
  /** `manual` where the body holds a secret, which a redirect would carry to another address. */
  readonly redirect: 'follow' | 'manual'
}

/** An answer whose body is still to be read. */
export interface OpenAnswer {
  /** Where it came from, after redirections; empty where the fetch in use does not tell. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>
}

/** An answer, read to its end. */
export interface WireAnswer extends OpenAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A wait before a request is sent again. */
export interface Wait {
  /** Milliseconds. */
  readonly ms: number
  /** What is sent again, `GET /api/v1/skills/:id`. */
  readonly request: string
  /** What the service answered, 429 or 503; undefined where the connection broke. */
  readonly status: number | undefined
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
  readonly maxWaitMs?: number | undefined
  readonly onWait?: ((wait: Wait) => void) | undefined
}

/** Longest wait before a retry. Where the service asks for more, the call fails at once, unless `maxWaitMs` allows it. */
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
 * Sends a request and repeats it where that is safe: always where it was refused before it was acted on;
 * after another 503 and a broken connection only what is `repeatable`.
 */
export async function send(
  wire: Wire,
  request: WireRequest,
  options: CallOptions,
  read: (answer: OpenAnswer) => Promise<WireAnswer> = readAll,
): Promise<WireAnswer> {
  const { signal, timeoutMs = wire.timeoutMs, retries = wire.retries } = options
  const { maxWaitMs = wire.maxWaitMs } = options
  for (let attempt = 0, failures = 0, waited = 0; ; attempt++) {
    signal?.throwIfAborted()
    const answer = await open(wire.fetch, request, timeoutMs, signal)
      .then(read)
      .catch((error: unknown) => {
        const isLast = failures >= retries || !request.repeatable
        if (isLast || !(error instanceof ConnectionError)) throw error
        return undefined
      })
    const isRefused = answer !== undefined && neverBegan(answer)
    if (answer && !isRefused && !(answer.status === 503 && request.repeatable)) return answer
    const asked = answer && retryAfterSeconds(answer.headers, wire.clock.now())
    const ms = asked === undefined ? jittered(attempt, wire.clock) : Math.max(1, asked) * 1000
    if (isRefused && maxWaitMs !== undefined) {
      waited += ms
      if (waited > maxWaitMs) return answer
    } else if (answer && (failures >= retries || ms > maxRetryWaitMs)) return answer
    else failures++
    wire.onWait?.({ ms, request: request.name, status: answer?.status })
    await wire.clock.sleep(ms, signal)
  }
}

/** Whether a request was refused before anything was done for it. */
export const neverBegan = ({ status, headers }: Pick<OpenAnswer, 'status' | 'headers'>): boolean =>
  status === 429 || (status === 503 && headers.get('skillpass-begun') === 'no')

/** Reads an answer to its end. */
export const readAll = (answer: OpenAnswer): Promise<WireAnswer> => readUpTo(answer, Infinity)

/** Reads an answer to its end. Throws AnswerTooLong once it has more than so many bytes. */
export async function readUpTo(answer: OpenAnswer, most: number): Promise<WireAnswer> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const reader = answer.body.getReader()
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    chunks.push(value)
    if (size > most) {
      const message = `${answer.url} sends more than the ${most} bytes it may have.`
      void reader.cancel()
      throw new AnswerTooLong({ message })
    }
  }
  return { ...answer, bytes: new Uint8Array(await new Blob(chunks).arrayBuffer()) }
}

/** Leaves the body of a success to whoever asked for it. */
export const readRefusalAlone = async (answer: OpenAnswer): Promise<WireAnswer> =>
  answer.status >= 200 && answer.status < 300
    ? { ...answer, bytes: new Uint8Array() }
    : readAll(answer)

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

/** Bytes of a body for which the answer may come a millisecond later. */
const bytesPerMs = 32

/**
 * One attempt. It ends with TimeoutError where the answer does not begin in time, or where no more of it
 * comes for as long.
 */
async function open(
  fetcher: typeof fetch,
  request: WireRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<OpenAnswer> {
  const { name, method, url, headers, body, redirect } = request
  // AbortSignal.any and AbortSignal.timeout would do, but are collected too early on Node 20.
  const stop = new AbortController()
  const abort = () => stop.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const end = () => signal?.removeEventListener('abort', abort)
  const isLimited = timeoutMs > 0 && Number.isFinite(timeoutMs)

  /** Waits for the next byte. */
  async function next<T>(work: () => Promise<T>, ms: number, what: string): Promise<T> {
    const giveUp = () => {
      const message = `${method} ${url} ${what} within ${ms} ms.`
      stop.abort(new TimeoutError({ message, request: name }))
    }
    const timer = isLimited ? setTimeout(giveUp, ms) : undefined
    try {
      return await work()
    } catch (cause) {
      end()
      if (stop.signal.aborted) throw stop.signal.reason
      const message = `Could not reach ${url}: ${reasonOf(cause)}.`
      throw new ConnectionError({ message, request: name, cause })
    } finally {
      clearTimeout(timer)
    }
  }

  // Left alone, fetch adds "Cache-Control: no-cache" to a conditional request, and many servers,
  // Express among them, then never answer 304.
  const isConditional = headers.has('if-none-match')
  const init: RequestInit = {
    method,
    headers,
    redirect,
    signal: stop.signal,
    ...(isConditional && { cache: 'no-cache' }),
    ...(body !== undefined && { body }),
  }
  const firstMs = timeoutMs + Math.ceil(sizeOf(body) / bytesPerMs)
  const response = await next(() => fetcher(url, init), firstMs, 'got no answer')
  const reader = response.body?.getReader()
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const part = await next(
          async () => reader?.read() ?? wholeOf(response),
          timeoutMs,
          'got no more of the answer',
        )
        if (part.value) controller.enqueue(part.value)
        if (!part.done) return
        end()
        controller.close()
      },
      cancel(reason) {
        end()
        return reader?.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return { url: response.url, status: response.status, headers: response.headers, body: stream }
}

/** The body of a runtime that has no streams. */
const wholeOf = async (response: Response) => ({
  done: true,
  value: new Uint8Array(await response.arrayBuffer()),
})

const sizeOf = (body: WireRequest['body']): number =>
  body instanceof Blob ? body.size : (body?.length ?? 0)

/** Node says "fetch failed" and hides the reason in a chain of causes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reasonOf(error.cause)
  const code = 'code' in error ? String(error.code) : ''
  return error.message || code || error.name
}
