import {
  ConnectionError,
  createClient,
  RateLimitedError,
  TimeoutError,
  UnavailableError,
} from '@skillpass/client'
import { describe, expect, test, vi } from 'vitest'
import { type ClientOptions, createClientOn } from '../../../client-sdk/src/client.ts'
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
const body = { name: 'A', slug: 'a' }

/** A client whose waits take no time; `waits` lists how long it would have waited. */
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
  const { registry } = createClientOn(clock, { baseUrl: server.baseUrl, ...options })
  return { registry, received: server.received, waits }
}

describe('after 429', () => {
  test('a call waits as long as Retry-After says after 429, then repeats', async () => {
    const { registry, received, waits } = await clientOf([limited('3'), limited('1'), found])
    expect(await registry.skills.search()).toEqual(found.body)
    expect(received).toHaveLength(3)
    expect(waits).toEqual([3000, 1000])
  })

  test('a publish is repeated after 429, which refused it before it had an effect', async () => {
    const published = { status: 201, body: example('registry.skills.publish') }
    const { registry, received } = await clientOf([limited('1'), published])
    await registry.skills.publish({ body })
    expect(received).toHaveLength(2)
    expect(received[1]?.body).toBe(received[0]?.body)
  })

  test('a call understands a date in Retry-After', async () => {
    const { registry, waits } = await clientOf([limited('Sat, 21 Nov 2026 09:30:05 GMT'), found])
    await registry.skills.search()
    expect(waits).toEqual([5000])
  })

  test('a call throws RateLimitedError after its retries', async () => {
    const { registry, received } = await clientOf([limited('1')])
    await expect(registry.skills.search()).rejects.toThrow(RateLimitedError)
    expect(received).toHaveLength(3)
  })

  test('a call does not wait for a Retry-After of more than 30 seconds', async () => {
    const { registry, received, waits } = await clientOf([limited('31')])
    await expect(registry.skills.search()).rejects.toThrow(RateLimitedError)
    expect(received).toHaveLength(1)
    expect(waits).toEqual([])
  })
})

describe('after 503 or a broken connection', () => {
  const broken: Reply = { breakOff: true }

  test.each([
    ['503', unavailable],
    ['a broken connection', broken],
  ])(
    'after %s a call that is safe to repeat is repeated, after longer and longer waits',
    async (_, reply) => {
      const { registry, received, waits } = await clientOf([reply, reply, found])
      await registry.skills.search()
      expect(received).toHaveLength(3)
      expect(waits).toEqual([375, 750])
    },
  )

  test.each([
    ['503', unavailable, UnavailableError],
    ['a broken connection', broken, ConnectionError],
  ])(
    'after %s a publish is not repeated, since it may have had an effect',
    async (_, reply, type) => {
      const { registry, received } = await clientOf([reply])
      await expect(registry.skills.publish({ body })).rejects.toThrow(type)
      expect(received).toHaveLength(1)
    },
  )

  test('a DELETE and an idempotent POST are repeated after a broken connection', async () => {
    const starred = { body: example('registry.skills.star') }
    const { registry, received } = await clientOf([broken, starred, broken, starred])
    await registry.skills.star({ params: { id } })
    await registry.skills.unstar({ params: { id } })
    expect(received.map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE', 'DELETE'])
  })

  test('a call replaces the number of retries of its client', async () => {
    const { registry, received } = await clientOf([unavailable], { retries: 5 })
    await expect(registry.skills.search({ retries: 1 })).rejects.toThrow(UnavailableError)
    expect(received).toHaveLength(2)
    await expect(registry.skills.search()).rejects.toThrow(UnavailableError)
    expect(received).toHaveLength(8)
  })

  test('a ConnectionError names the address and the reason', async () => {
    const { registry } = await clientOf([], { baseUrl: 'http://127.0.0.1:2', retries: 0 })
    await expect(registry.skills.search()).rejects.toThrow(
      /127\.0\.0\.1:2\/api\/v1\/skills\/search: .*ECONNREFUSED/,
    )
  })
})

describe('a refusal', () => {
  test.each([400, 401, 404, 409, 500, 502])(
    'a call that is answered %i is not repeated',
    async (status) => {
      const { registry, received } = await clientOf([{ status, body: failure('WHATEVER') }])
      await expect(registry.skills.search()).rejects.toThrow('WHATEVER')
      expect(received).toHaveLength(1)
    },
  )
})

/** A `fetch` that answers only an abort, and counts its calls. */
const silentFetch = () =>
  vi.fn<typeof fetch>(
    (_, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      }),
  )

const baseUrl = 'https://x.test'

describe('a time limit', () => {
  test('a time limit ends an attempt with TimeoutError, and the attempt is not repeated', async () => {
    const fetch = silentFetch()
    const call = createClient({ baseUrl, fetch, timeoutMs: 5 }).registry.skills.search()
    await expect(call).rejects.toThrow(TimeoutError)
    await expect(call).rejects.toMatchObject({ code: 'TIMEOUT', status: undefined })
    expect(fetch).toHaveBeenCalledOnce()
  })

  test('a call replaces the time limit of its client, and 0 means none', async () => {
    const fetch = async () => {
      // Longer than the limit of the client, whose timer would fire first.
      await new Promise((resolve) => setTimeout(resolve, 20))
      return Response.json(found.body)
    }
    const { registry } = createClient({ baseUrl, fetch, timeoutMs: 5 })
    expect(await registry.skills.search({ timeoutMs: 0 })).toEqual(found.body)
  })
})

describe('an abort signal', () => {
  const reason = new Error('No longer needed.')

  test('an abort ends the attempt, and the call throws its reason', async () => {
    const controller = new AbortController()
    const fetch = silentFetch()
    const { registry } = createClient({ baseUrl, fetch })
    const call = registry.skills.search({ signal: controller.signal })
    await expect.poll(() => fetch).toHaveBeenCalledOnce()
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    expect(fetch).toHaveBeenCalledOnce()
  })

  test('an abort ends the wait before a retry', async () => {
    const { baseUrl, received } = await serve(() => limited('20'))
    const controller = new AbortController()
    const sleep: typeof systemClock.sleep = (ms, signal) => {
      setImmediate(() => controller.abort(reason))
      return systemClock.sleep(ms, signal)
    }
    const { registry } = createClientOn({ ...systemClock, sleep }, { baseUrl })
    const call = registry.skills.search({ signal: controller.signal })
    await expect(call).rejects.toBe(reason)
    expect(received).toHaveLength(1)
  })

  test('a call with an aborted signal sends nothing', async () => {
    const { registry, received } = await clientOf([found])
    await expect(registry.skills.search({ signal: AbortSignal.abort('no') })).rejects.toBe('no')
    expect(received).toHaveLength(0)
  })
})
