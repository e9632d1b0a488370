import {
  ConnectionError,
  createClient,
  RateLimitedError,
  TimeoutError,
  UnavailableError,
} from '@skillpass/client'
import { describe, expect, test } from 'vitest'
import { type ClientOptions, createClientOn } from '../../../client-sdk/src/client.ts'
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

/** A client whose waiting takes no time; `waits` tells how long it would have waited. */
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
  test('waits as long as Retry-After says, then repeats', async () => {
    const { registry, received, waits } = await clientOf([limited('3'), limited('1'), found])
    expect(await registry.skills.search()).toEqual(found.body)
    expect(received).toHaveLength(3)
    expect(waits).toEqual([3000, 1000])
  })

  test('repeats a publish too, which was refused before it was acted on', async () => {
    const published = { status: 201, body: example('registry.skills.publish') }
    const { registry, received } = await clientOf([limited('1'), published])
    await registry.skills.publish({ body })
    expect(received).toHaveLength(2)
    expect(received[1]?.body).toBe(received[0]?.body)
  })

  test('understands a date', async () => {
    const { registry, waits } = await clientOf([limited('Sat, 21 Nov 2026 09:30:05 GMT'), found])
    await registry.skills.search()
    expect(waits).toEqual([5000])
  })

  test('gives up after the retries, with the typed error', async () => {
    const { registry, received } = await clientOf([limited('1')])
    await expect(registry.skills.search()).rejects.toThrow(RateLimitedError)
    expect(received).toHaveLength(3)
  })

  test('fails at once where the wait would be longer than 30 seconds', async () => {
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
  ])('%s: repeats what is safe to repeat, waiting longer each time', async (_, reply) => {
    const { registry, received, waits } = await clientOf([reply, reply, found])
    await registry.skills.search()
    expect(received).toHaveLength(3)
    expect(waits).toEqual([375, 750])
  })

  test.each([
    ['503', unavailable, UnavailableError],
    ['a broken connection', broken, ConnectionError],
  ])('%s: does not repeat a publish, which may have been acted on', async (_, reply, type) => {
    const { registry, received } = await clientOf([reply])
    await expect(registry.skills.publish({ body })).rejects.toThrow(type)
    expect(received).toHaveLength(1)
  })

  test('repeats a POST that the contract calls idempotent, and a DELETE', async () => {
    const starred = { body: example('registry.skills.star') }
    const { registry, received } = await clientOf([broken, starred, broken, starred])
    await registry.skills.star({ params: { id } })
    await registry.skills.unstar({ params: { id } })
    expect(received.map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE', 'DELETE'])
  })

  test('repeats as often as the call says', async () => {
    const { registry, received } = await clientOf([unavailable], { retries: 5 })
    await expect(registry.skills.search({ retries: 1 })).rejects.toThrow(UnavailableError)
    expect(received).toHaveLength(2)
    await expect(registry.skills.search()).rejects.toThrow(UnavailableError)
    expect(received).toHaveLength(8)
  })

  test('names the address and the reason', async () => {
    const { registry } = await clientOf([], { baseUrl: 'http://127.0.0.1:2', retries: 0 })
    await expect(registry.skills.search()).rejects.toThrow(
      /127\.0\.0\.1:2\/api\/v1\/skills\/search: .*ECONNREFUSED/,
    )
  })
})

describe('an answer that says no', () => {
  test.each([400, 401, 404, 409, 500, 502])('%i is not repeated', async (status) => {
    const { registry, received } = await clientOf([{ status, body: failure('WHATEVER') }])
    await expect(registry.skills.search()).rejects.toThrow('WHATEVER')
    expect(received).toHaveLength(1)
  })
})

describe('a time limit', () => {
  test('ends an attempt that takes too long, and does not repeat it', async () => {
    const { registry, received } = await clientOf([{ ...found, delayMs: 9000 }], { timeoutMs: 500 })
    const call = registry.skills.search()
    await expect(call).rejects.toThrow(TimeoutError)
    await expect(call).rejects.toMatchObject({ code: 'TIMEOUT', status: undefined })
    expect(received).toHaveLength(1)
  })

  test('can be set for one call, and 0 means none', async () => {
    const { registry } = await clientOf([{ ...found, delayMs: 80 }], { timeoutMs: 20 })
    expect(await registry.skills.search({ timeoutMs: 0 })).toEqual(found.body)
  })
})

describe('an abort signal', () => {
  test('ends the attempt; the call throws its reason', async () => {
    const { registry } = await clientOf([{ ...found, delayMs: 400 }])
    const reason = new Error('No longer needed.')
    const controller = new AbortController()
    const call = registry.skills.search({ signal: controller.signal })
    setTimeout(() => controller.abort(reason), 30)
    await expect(call).rejects.toBe(reason)
  })

  test('ends the waiting before a retry', async () => {
    const { baseUrl, received } = await serve(() => limited('20'))
    const reason = new Error('No longer needed.')
    const controller = new AbortController()
    const call = createClient({ baseUrl }).registry.skills.search({ signal: controller.signal })
    await expect.poll(() => received).toHaveLength(1)
    setTimeout(() => controller.abort(reason), 100)
    await expect(call).rejects.toBe(reason)
    expect(received).toHaveLength(1)
  })

  test('that is already aborted sends nothing', async () => {
    const { registry, received } = await clientOf([found])
    await expect(registry.skills.search({ signal: AbortSignal.abort('no') })).rejects.toBe('no')
    expect(received).toHaveLength(0)
  })
})
