import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { createOutage } from '../../errors/report-outage.ts'
import type { Random } from '../../secrets/random.ts'
import type { Clock } from '../time.ts'
import { within } from '../within.ts'
import { createMemoryLimiter, type RateLimiter, type WindowLimit } from './rate-limiter.ts'

/**
 * Sliding windows in Redis: one sorted set of allowed requests per key, on the clock of Redis so
 * that all nodes agree. ARGV[1] is the id of the request, which is added to every set, or to none
 * if any limit refuses it; an empty id counts nothing. The other arguments are the limit and window
 * (ms) of each key. Returns for each key: allowed (0 or 1), count, microseconds until the oldest
 * request leaves the window.
 */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local counts = ARGV[1] ~= ''
local answer = {}
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - tonumber(ARGV[2 * i + 1]) * 1000)
  local count = redis.call('ZCARD', key)
  local allowed = count < tonumber(ARGV[2 * i])
  counts = counts and allowed
  answer[3 * i - 2] = allowed and 1 or 0
  answer[3 * i - 1] = count
end
for i, key in ipairs(KEYS) do
  local window = ARGV[2 * i + 1]
  if counts then
    answer[3 * i - 1] = answer[3 * i - 1] + 1
    redis.call('ZADD', key, now, ARGV[1])
    redis.call('PEXPIRE', key, window)
  end
  local oldest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] or now
  answer[3 * i] = oldest + window * 1000 - now
end
return answer
`

interface RedisLimiterOptions {
  url: string
  clock: Clock
  random: Random
  log: Logger
  /** Called when an outage of Redis begins and when it ends. */
  noteOutage?: (isAway: boolean) => void
}

/** Timeouts of a limit check and of a background probe, ms. */
const answerMs = 100
const pingMs = 300

/** Returns the name of a subject's set. */
const nameOf = (key: string) => `skillpass:limit:${key}`

/** Interval between probes during an outage, ms, and the number of probes before a reconnect. */
const probeInterval = 250
const probesPerConnection = 8

/**
 * Creates a limiter that several nodes share. If Redis does not respond in time, each node uses its
 * own in-memory counts, which include all requests that this node has allowed, and probes Redis in
 * the background. An outage of Redis neither blocks requests nor disables the limits.
 */
export function createRedisLimiter(options: RedisLimiterOptions): RateLimiter {
  const { url, clock, random, log, noteOutage } = options
  const memory = createMemoryLimiter(clock)
  // Fail at once: by default ioredis queues commands without a time limit.
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    retryStrategy: (attempt) => Math.min(100 * attempt, 1000),
  })
  const outage = createOutage(
    log,
    'redis unreachable, limiting per node',
    'redis is back, limits are shared again',
    noteOutage,
  )
  const closing = new AbortController()
  let isUnavailable = false
  redis.on('error', (error: Error) => outage.failed({ reason: error.message }))

  async function probeUntilAvailable(): Promise<void> {
    isUnavailable = true
    for (let tries = 1; isUnavailable && !closing.signal.aborted; tries++) {
      try {
        await within(redis.ping(), pingMs, 'no answer')
        isUnavailable = false
        outage.worked()
      } catch (error) {
        // The first probe may precede the connection or follow a pause of this process.
        if (tries > 1) outage.failed({ reason: error instanceof Error ? error.message : '' })
        if (tries % probesPerConnection === 0) redis.disconnect(true)
        await pause(probeInterval, undefined, { ref: false })
      }
    }
  }

  /** Returns the decisions of Redis, or undefined while it is unavailable. */
  async function checkShared(id: string, limits: readonly WindowLimit[]) {
    if (isUnavailable) return undefined
    const keys = limits.map(({ key }) => nameOf(key))
    const rest = limits.flatMap(({ limit, window }) => [limit, window])
    try {
      const reply = redis.eval(script, keys.length, ...keys, id, ...rest)
      const answer = (await within(reply, answerMs, 'no answer')) as number[]
      return limits.map(({ limit }, i) => {
        const [allowed = 0, count = 0, micros = 0] = answer.slice(3 * i, 3 * i + 3)
        return { allowed: allowed === 1, remaining: limit - count, resetMs: micros / 1000 }
      })
    } catch {
      if (!isUnavailable && !closing.signal.aborted) void probeUntilAvailable()
      return undefined
    }
  }

  return {
    async check(limits, counts) {
      const decisions = await checkShared(counts ? random.uuid() : '', limits)
      if (decisions?.some(({ allowed }) => !allowed)) return decisions
      const own = await memory.check(limits, counts)
      return decisions ?? own
    },
    async uncount(key) {
      await memory.uncount(key)
      // Without an answer the request stays counted.
      if (!isUnavailable) await within(redis.zpopmax(nameOf(key)), answerMs, '').catch(() => {})
    },
    async close() {
      closing.abort()
      redis.disconnect()
    },
  }
}
