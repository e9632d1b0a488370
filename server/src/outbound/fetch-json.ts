import { LRUCache } from 'lru-cache'
import type { Context } from '../context/context.ts'
import { parseJson } from '../runtime/parse-json.ts'
import { type OutboundResult, sendRequest } from './post.ts'

/** Cached responses of at most 64 KiB each. */
const maxResponses = 256

/** Bounds of the time for which a response is reused, ms. Failures have the shortest. */
const lifetimes = { shortest: 60_000, longest: 86_400_000 }

/** A JSON object, or a sentence that says why there is none. */
export type FetchedJson =
  | { readonly json: Readonly<Record<string, unknown>> }
  | { readonly reason: string }

/**
 * Fetches a JSON object from a public https address, or returns the cached one. A cached response
 * that is older than `maxAge` (ms) is not used. Does not throw.
 */
export type FetchJson = (url: string, maxAge?: number) => Promise<FetchedJson>

interface CachedResponse {
  readonly response: Promise<OutboundResult>
  readonly fetchedAt: number
  /** Infinite until the response arrives, so that concurrent callers share the request. */
  lifetime: number
}

/** Creates a fetcher with a cache that follows `Cache-Control: max-age` (RFC 9111 §5.2.2.1). */
export function createFetchJson({ config, clock }: Pick<Context, 'config' | 'clock'>): FetchJson {
  const cache = new LRUCache<string, CachedResponse>({ max: maxResponses })

  function request(url: string): CachedResponse {
    const response = sendRequest({
      url,
      headers: { Accept: 'application/json', 'User-Agent': 'Skillpass/1' },
      allowsPrivate: config.allowsPrivateWebhooks,
    })
    const fetched = { response, fetchedAt: clock.monotonic(), lifetime: Number.POSITIVE_INFINITY }
    cache.set(url, fetched)
    void response.then((result) => {
      fetched.lifetime = lifetimeOf(result)
    })
    return fetched
  }

  return async (url, maxAge = lifetimes.longest) => {
    const cached = cache.get(url)
    const age = clock.monotonic() - (cached?.fetchedAt ?? 0)
    const isFresh = cached && age < Math.min(cached.lifetime, maxAge)
    return read(await (isFresh ? cached : request(url)).response)
  }
}

function lifetimeOf(result: OutboundResult): number {
  const { shortest, longest } = lifetimes
  if (result.kind !== 'answered' || 'reason' in read(result)) return shortest
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
