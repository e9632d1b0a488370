import type { CallOptions } from './call.ts'
import { ConnectionError, ResponseTooLongError, TimeoutError } from './errors.ts'

/** An HTTP request. */
export interface HttpRequest {
  /** Method and route, for example `GET /api/v1/skills/:id`. */
  readonly name: string
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string | Uint8Array<ArrayBuffer> | Blob | undefined
  /** Whether the request is idempotent. */
  readonly repeatable: boolean
  /** `manual` if the body holds a secret, which a redirect would send to another address. */
  readonly redirect: 'follow' | 'manual'
}

/** A response with an unread body. */
export interface UnreadResponse {
  /** Final URL after redirects; empty if `fetch` does not report it. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>
}

/** A response with its whole body. */
export interface HttpResponse extends UnreadResponse {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A wait before a retry. */
export interface Wait {
  /** Milliseconds. */
  readonly ms: number
  /** Method and route, for example `GET /api/v1/skills/:id`. */
  readonly request: string
  /** Status of the response, 429 or 503; undefined if the connection broke. */
  readonly status: number | undefined
}

/** Time and random numbers, which tests can control. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Waits. Rejects with the signal's reason if it is aborted. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
  /** Returns a number from 0 to 1. */
  random(): number
}

/** How requests are sent. */
export interface Transport {
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly timeoutMs: number
  readonly retries: number
  readonly maxWaitMs?: number | undefined
  readonly onWait?: ((wait: Wait) => void) | undefined
}

/**
 * Longest wait before a retry. If `Retry-After` is longer, the call fails at once, unless
 * `maxWaitMs` allows it.
 */
export const maxRetryWaitMs = 30_000

const backoff = { firstMs: 500, maxMs: 8_000 }

export const systemClock: Clock = {
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
 * Sends a request and retries it if that is safe: any request that the service rejected before
 * processing it, and an idempotent request after another 503 or a broken connection.
 */
export async function send(
  transport: Transport,
  request: HttpRequest,
  options: CallOptions,
  read: (response: UnreadResponse) => Promise<HttpResponse> = readAll,
): Promise<HttpResponse> {
  const { signal, timeoutMs = transport.timeoutMs, retries = transport.retries } = options
  const { maxWaitMs = transport.maxWaitMs } = options
  for (let attempt = 0, failures = 0, waited = 0; ; attempt++) {
    signal?.throwIfAborted()
    const response = await open(transport.fetch, request, timeoutMs, signal)
      .then(read)
      .catch((error: unknown) => {
        const isLast = failures >= retries || !request.repeatable
        if (isLast || !(error instanceof ConnectionError)) throw error
        return undefined
      })
    const isRejected = response !== undefined && wasRejectedEarly(response)
    if (response && !isRejected && !(response.status === 503 && request.repeatable)) return response
    const retryAfter = response && retryAfterSeconds(response.headers, transport.clock.now())
    const ms =
      retryAfter === undefined ? jittered(attempt, transport.clock) : Math.max(1, retryAfter) * 1000
    if (isRejected && maxWaitMs !== undefined) {
      waited += ms
      if (waited > maxWaitMs) return response
    } else if (response && (failures >= retries || ms > maxRetryWaitMs)) return response
    else failures++
    transport.onWait?.({ ms, request: request.name, status: response?.status })
    await transport.clock.sleep(ms, signal)
  }
}

/** Returns whether the service rejected a request before processing it. */
const wasRejectedEarly = ({
  status,
  headers,
}: Pick<UnreadResponse, 'status' | 'headers'>): boolean =>
  status === 429 || (status === 503 && headers.get('skillpass-begun') === 'no')

/** Reads the whole body. */
export const readAll = (response: UnreadResponse): Promise<HttpResponse> =>
  readUpTo(response, Infinity)

/** Reads the whole body. Throws ResponseTooLongError if it has more than `maxBytes` bytes. */
export async function readUpTo(response: UnreadResponse, maxBytes: number): Promise<HttpResponse> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const reader = response.body.getReader()
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    chunks.push(value)
    if (size > maxBytes) {
      const message = `The response of ${response.url} is longer than ${maxBytes} bytes.`
      void reader.cancel()
      throw new ResponseTooLongError({ message })
    }
  }
  return { ...response, bytes: new Uint8Array(await new Blob(chunks).arrayBuffer()) }
}

/** Reads the body of an error response. Leaves the body of a success response unread. */
export const readOnlyErrors = async (response: UnreadResponse): Promise<HttpResponse> =>
  response.status >= 200 && response.status < 300
    ? { ...response, bytes: new Uint8Array() }
    : readAll(response)

/**
 * Returns an exponential backoff with jitter, so that clients that failed together retry at
 * different times.
 */
const jittered = (attempt: number, clock: Clock) =>
  Math.min(backoff.maxMs, backoff.firstMs * 2 ** attempt) * (0.5 + clock.random() / 2)

/** Parses `Retry-After`, seconds or a date, into seconds (RFC 9110 §10.2.3). */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')
  if (!value) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}

/** Extends the timeout by 1 ms for each 32 bytes of the request body. */
const bytesPerMs = 32

/**
 * Sends a request once. Throws TimeoutError if the response does not begin in time, or if its body
 * stalls for as long.
 */
async function open(
  fetcher: typeof fetch,
  request: HttpRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<UnreadResponse> {
  const { name, method, url, headers, body, redirect } = request
  // Node.js 20 may garbage-collect the signals of AbortSignal.any and AbortSignal.timeout too
  // early.
  const stop = new AbortController()
  const abort = () => stop.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const end = () => signal?.removeEventListener('abort', abort)
  const isLimited = timeoutMs > 0 && Number.isFinite(timeoutMs)

  /** Waits for the next part of the response. */
  async function nextPart<T>(work: () => Promise<T>, ms: number, what: string): Promise<T> {
    const stopAttempt = () => {
      const message = `${method} ${url} ${what} within ${ms} ms.`
      stop.abort(new TimeoutError({ message, request: name }))
    }
    const timer = isLimited ? setTimeout(stopAttempt, ms) : undefined
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

  // By default, fetch adds "Cache-Control: no-cache" to a conditional request, and many servers,
  // including Express, then never respond with 304.
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
  const response = await nextPart(() => fetcher(url, init), firstMs, 'got no response')
  const reader = response.body?.getReader()
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const part = await nextPart(
          async () => reader?.read() ?? wholeOf(response),
          timeoutMs,
          'got no more of the response',
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

/** Reads the body in a runtime without response streams. */
const wholeOf = async (response: Response) => ({
  done: true,
  value: new Uint8Array(await response.arrayBuffer()),
})

const sizeOf = (body: HttpRequest['body']): number =>
  body instanceof Blob ? body.size : (body?.length ?? 0)

/** Returns the innermost cause, since the message of Node.js is only "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reasonOf(error.cause)
  const code = 'code' in error ? String(error.code) : ''
  return error.message || code || error.name
}
