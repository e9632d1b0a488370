import {
  type ClientOptions,
  ConnectionError,
  createClient,
  RateLimitedError,
  TimeoutError,
  UnavailableError,
  type Wait,
} from '@skillpass/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../../client-sdk/src/transport.ts'
import { example, failure, type Reply, serve } from './fixture.ts'

const id = '0190a6f2-6c1d-7c1e-9b0a-3f6a8a1c2d3e'
const found = { body: example('registry.skills.search') }
const limited = (retryAfter: string): Reply => ({
  status: 429,
  headers: { 'retry-after': retryAfter },
  body: failure('RATE_LIMITED', { retryAfter: 1 }),
})
const unavailable: Reply = { status: 503, body: failure('UNAVAILABLE') }
const neverBegan = (retryAfter: string): Reply => ({
  ...unavailable,
  headers: { 'retry-after': retryAfter, 'skillpass-begun': 'no' },
})
const body = { name: 'A', slug: 'a' }

/** Creates a client whose waits take no time. `waits` lists their lengths. */
async function clientOf(replies: Reply[], options: Partial<ClientOptions> = {}) {
  const server = await serve((_, count) => replies[count - 1] ?? replies.at(-1) ?? {})
  const waits: number[] = []
  const now = Date.parse('2026-11-21T09:30:00Z')
  const clock = {
    now: () => now,
    random: () => 0.5,
    sleep: async (ms: number, signal?: AbortSignal) => {
      waits.push(ms)
      signal?.throwIfAborted()
    },
  }
  const { registry } = createClient({ baseUrl: server.baseUrl, ...options }, clock)
  return { registry, received: server.received, waits }
}

const broken: Reply = { breakOff: true }
const published = { status: 201, body: example('registry.skills.publish') }

test.each<[string, Reply[], number[]]>([
  ['429 and Retry-After', [limited('3'), limited('1')], [3000, 1000]],
  ['429 and a date', [limited('Sat, 21 Nov 2026 09:30:05 GMT')], [5000]],
  ['503', [unavailable, unavailable], [375, 750]],
  ['a broken connection', [broken, broken], [375, 750]],
])('after %s a call that is safe to repeat is repeated', async (_, refusals, expected) => {
  const { registry, received, waits } = await clientOf([...refusals, found])
  expect(await registry.skills.search()).toEqual(found.body)
  expect(received).toHaveLength(refusals.length + 1)
  expect(waits).toEqual(expected)
})

test.each<[string, Reply, number]>([
  ['429', limited('1'), 1000],
  ['a 503 that states it never began', neverBegan('7'), 7000],
])('a publish is repeated after %s, which had no effect', async (_, reply, wait) => {
  const { registry, received, waits } = await clientOf([reply, published])
  await registry.skills.publish({ body })
  expect(received[1]?.body).toBe(received[0]?.body)
  expect(waits).toEqual([wait])
})

test.each([
  ['503', unavailable, UnavailableError],
  ['a broken connection', broken, ConnectionError],
])('after %s a publish is not repeated, since it may have had effect', async (_, reply, type) => {
  const { registry, received } = await clientOf([reply])
  await expect(registry.skills.publish({ body })).rejects.toThrow(type)
  expect(received).toHaveLength(1)
})

test('a call throws RateLimitedError after its retries, and at once if it should wait more than 30 seconds', async () => {
  for (const [seconds, calls] of [
    ['1', 3],
    ['31', 1],
  ] as const) {
    const { registry, received } = await clientOf([limited(seconds)])
    await expect(registry.skills.search()).rejects.toThrow(RateLimitedError)
    expect(received).toHaveLength(calls)
  }
})

test('with maxWaitMs a rejected call is retried until that total wait, and onWait reports each wait', async () => {
  const reported: Wait[] = []
  const onWait = (wait: Wait) => reported.push(wait)
  const replies = [neverBegan('40'), limited('0'), neverBegan('7'), neverBegan('13')]
  const { registry } = await clientOf(replies, { maxWaitMs: 60_000, onWait, retries: 0 })
  await expect(registry.skills.publish({ body })).rejects.toThrow(UnavailableError)
  const request = 'POST /api/v1/skills'
  expect(reported).toEqual([
    { ms: 40_000, request, status: 503 },
    { ms: 1000, request, status: 429 },
    { ms: 7000, request, status: 503 },
  ])
})

test('a DELETE and an idempotent POST are repeated after a broken connection', async () => {
  const starred = { body: example('registry.skills.star') }
  const { registry, received } = await clientOf([broken, starred, broken, starred])
  await registry.skills.star({ params: { id } })
  await registry.skills.unstar({ params: { id } })
  expect(received.map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE', 'DELETE'])
})

test('a ConnectionError names the request, the address and the reason', async () => {
  const { registry } = await clientOf([], { baseUrl: 'http://127.0.0.1:2', retries: 0 })
  const call = registry.skills.search()
  await expect(call).rejects.toThrow(/127\.0\.0\.1:2\/api\/v1\/skills\/search: .*ECONNREFUSED/)
  await expect(call).rejects.toMatchObject({ request: 'GET /api/v1/skills/search' })
})

test.each([400, 401, 404, 409, 500, 502])('the status %i is not retried', async (status) => {
  const { registry, received } = await clientOf([{ status, body: failure('WHATEVER') }])
  await expect(registry.skills.search()).rejects.toThrow('WHATEVER')
  expect(received).toHaveLength(1)
})

/** A `fetch` that never responds, except to an abort, and counts its calls. */
const silentFetch = () =>
  vi.fn<typeof fetch>(
    (_, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      }),
  )

/** Tracks the error of a call. */
function watched(call: Promise<unknown>) {
  let isOver = false
  const ended = call.catch((error: unknown) => {
    isOver = true
    return error
  })
  return { ended, isOver: () => isOver }
}

const baseUrl = 'https://x.test'

test('a time limit ends an attempt with TimeoutError, and the attempt is not repeated', async () => {
  const fetch = silentFetch()
  const call = createClient({ baseUrl, fetch, timeoutMs: 5 }).registry.skills.search()
  await expect(call).rejects.toThrow(TimeoutError)
  const request = 'GET /api/v1/skills/search'
  await expect(call).rejects.toMatchObject({ code: 'TIMEOUT', status: undefined, request })
  expect(fetch).toHaveBeenCalledOnce()
})

describe('a response that arrives in parts', () => {
  const timeoutMs = 10_000
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Starts a service that sends its headers at once, and its body when the test says so. */
  function slowService() {
    const { readable, writable } = new TransformStream<Uint8Array>()
    const parts = writable.getWriter()
    const fetch: typeof globalThis.fetch = async (_, init) => {
      init?.signal?.addEventListener('abort', () => parts.abort(init.signal?.reason))
      return new Response(readable, { headers: { 'content-type': 'application/gzip' } })
    }
    const { rawSkill } = createClient({ baseUrl, fetch, timeoutMs }).registry
    return { parts, rawSkill }
  }
  const params = { owner: 'a', repo: 'b', skill: 'c' }
  const part = Uint8Array.of(1, 2, 3)

  test('a response may take longer than timeoutMs if each part arrives within that time', async () => {
    const { parts, rawSkill } = slowService()
    const call = rawSkill.archive({ params })
    for (let i = 0; i < 3; i++) {
      await vi.advanceTimersByTimeAsync(9000)
      await parts.write(part)
    }
    await parts.close()
    expect(await call).toEqual(Uint8Array.of(1, 2, 3, 1, 2, 3, 1, 2, 3))
  })

  test('a response that stalls for timeoutMs throws TimeoutError', async () => {
    const { parts, rawSkill } = slowService()
    const call = rawSkill.archive({ params })
    const ended = expect(call).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('got no more of the response within 10000 ms'),
      request: 'GET /:owner/:repo/:skill/archive.tar.gz',
    })
    await parts.write(part)
    await vi.advanceTimersByTimeAsync(10_000)
    await ended
  })

  test('a stream returns each part when it arrives, however slow the reader is', async () => {
    const { parts, rawSkill } = slowService()
    const reader = (await rawSkill.archive.stream({ params })).getReader()
    void parts.write(part)
    expect(await reader.read()).toEqual({ done: false, value: part })
    await vi.advanceTimersByTimeAsync(60_000)
    void parts.close()
    expect(await reader.read()).toEqual({ done: true, value: undefined })
  })

  test('the timeout grows by 1 second for each 32 kB of the request body', async () => {
    const fetch = silentFetch()
    const { blobs } = createClient({ baseUrl, fetch, timeoutMs }).registry
    const upload = blobs.upload({ params: { sha256: 'a' }, body: new Uint8Array(320_000) })
    const { ended, isOver } = watched(upload)
    await vi.advanceTimersByTimeAsync(19_999)
    expect(isOver()).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await ended).toBeInstanceOf(TimeoutError)
  })
})

const reason = new Error('No longer needed.')

test('an abort ends the wait before a retry', async () => {
  const { baseUrl, received } = await serve(() => limited('20'))
  const controller = new AbortController()
  const sleep: typeof systemClock.sleep = (ms, signal) => {
    setImmediate(() => controller.abort(reason))
    return systemClock.sleep(ms, signal)
  }
  const { registry } = createClient({ baseUrl }, { ...systemClock, sleep })
  const call = registry.skills.search({ signal: controller.signal })
  await expect(call).rejects.toBe(reason)
  expect(received).toHaveLength(1)
})
