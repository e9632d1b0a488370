import { LRUCache } from 'lru-cache'
import { parseJson } from '../../text/parse-json.ts'
import type { Config } from '../config/config.ts'
import { createMemoryLimiter, secondsToWait } from '../limits/rate-limiter.ts'
import { isOnLoopback } from '../loopback.ts'
import type { Clock } from '../time.ts'
import { dayLength } from '../time.ts'
import { type OutboundResult, sendRequest } from './send-request.ts'

/** Bounds of the cache. A response has at most 64 KiB; failures are short, so they evict little. */
const cached = { max: 4096, maxSize: 16 * 1024 * 1024 }

/** Bounds of the time for which a response is reused, ms. Failures have the shortest. */
const lifetimes = { shortest: 60_000, longest: dayLength }

/** Bounds of the requests that strangers can cause: per minute, and at once. */
const bounds = { window: 60_000, byAddress: 20, toHost: 60, atOnce: 32 }

/** A JSON object, or a sentence that says why there is none, with seconds to wait if there are. */
export type FetchedJson =
  | { readonly json: Readonly<Record<string, unknown>> }
  | { readonly reason: string; readonly retryAfter?: number }

interface FetchOptions {
  /** Rate-limit key of the address of the client that causes the request. */
  readonly address?: string
  /** Age of a cached response up to which it is used, ms. */
  readonly maxAge?: number | undefined
}

/**
 * Fetches a JSON object from a public https address, or returns the cached one. In development, the
 * address can be on loopback. Beyond the bounds it returns an older response or `retryAfter`. Does
 * not throw.
 */
export type FetchJson = (url: string, options?: FetchOptions) => Promise<FetchedJson>

interface CachedResponse {
  readonly response: Promise<OutboundResult>
  readonly fetchedAt: number
  /** Infinite until the response arrives, so that concurrent callers share the request. */
  readonly lifetime: number
}

/** Creates a fetcher with a cache that follows `Cache-Control: max-age` (RFC 9111 §5.2.2.1). */
export function createFetchJson({ config, clock }: { config: Config; clock: Clock }): FetchJson {
  const cache = new LRUCache<string, CachedResponse>({ ...cached })
  const limiter = createMemoryLimiter(clock)
  let running = 0

  function request(url: string): CachedResponse {
    running++
    const answer = sendRequest({
      url,
      headers: { Accept: 'application/json' },
      allowsPrivate: config.allowsLoopbackDocuments && isOnLoopback(url),
    })
    const response = answer.then(withoutFailedText)
    const fetched = { response, fetchedAt: clock.monotonic(), lifetime: Number.POSITIVE_INFINITY }
    cache.set(url, fetched, { size: 1 })
    void response.then((result) => {
      running--
      const size = result.kind === 'answered' ? result.text.length + 1 : 1
      if (cache.peek(url) !== fetched) return
      // It must be another object, because the cache updates no size for the same one.
      cache.set(url, { ...fetched, lifetime: lifetimeOf(result) }, { size })
    })
    return fetched
  }

  /** Counts a request. Returns the seconds to wait if it exceeds a bound, otherwise 0. */
  async function countRequest(url: string, address: string): Promise<number> {
    if (running >= bounds.atOnce) return 1
    const host = URL.canParse(url) ? new URL(url).host : ''
    const { window, byAddress, toHost } = bounds
    const limits = [
      { key: `address:${address}`, limit: byAddress, window },
      { key: `host:${host}`, limit: toHost, window },
    ]
    return secondsToWait(limiter, limits, { hasFailed: true })
  }

  return async (url, { address = '', maxAge = lifetimes.longest } = {}) => {
    const findFresh = () => {
      const found = cache.get(url)
      const age = clock.monotonic() - (found?.fetchedAt ?? 0)
      return found && age < Math.min(found.lifetime, maxAge) ? found : undefined
    }
    const retryAfter = findFresh() ? 0 : await countRequest(url, address)
    if (retryAfter > 0) {
      const older = cache.get(url)
      const known = older && read(await older.response)
      return known && 'json' in known ? known : { reason: tooMany, retryAfter }
    }
    // Another caller may have sent the request meanwhile.
    return read(await (findFresh() ?? request(url)).response)
  }
}

const tooMany = 'Too many documents of clients were requested. Try again in a minute.'

/** Returns a failure without its response, so that it evicts no documents. */
function withoutFailedText(result: OutboundResult): OutboundResult {
  const found = read(result)
  return 'reason' in found ? { kind: 'failed', reason: found.reason } : result
}

function lifetimeOf(result: OutboundResult): number {
  const { shortest, longest } = lifetimes
  if (result.kind !== 'answered') return shortest
  const control = result.headers['cache-control'] ?? ''
  const [, seconds = 0] = /\bmax-age="?(\d+)/i.exec(control) ?? []
  const isReusable = !/\bno-(store|cache)\b/i.test(control)
  return isReusable ? Math.min(Math.max(Number(seconds) * 1000, shortest), longest) : shortest
}

function read(result: OutboundResult): FetchedJson {
  if (result.kind !== 'answered') return { reason: result.reason }
  const { status, headers, text, isCut } = result
  if (status !== 200) return { reason: `The response status is ${status}, but 200 is required.` }
  const type = headers['content-type'] ?? ''
  // Hosts that serve uploads of strangers send them as another type.
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
    return { reason: 'The Content-Type of the response is not application/json.' }
  }
  if (isCut) return { reason: 'The response is larger than 64 KiB.' }
  const json = parseJson(text)
  return isObject(json) ? { json } : { reason: 'The response is not a JSON object.' }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
