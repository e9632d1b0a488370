import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { createOutage } from '../runtime/outage.ts'
import type { Clock, Random } from '../runtime/time.ts'
import { within } from '../runtime/within.ts'
import {
  createMemoryLimiter,
  type LimitDecision,
  type RateLimiter,
  type WindowLimit,
} from './rate-limiter.ts'

/**
 * Sliding windows in Redis: sorted sets of the requests let through, on Redis's own clock so that all
 * nodes agree. Each key has two arguments, its limit and window; the first argument names a request
 * that is counted under every key or, where one refuses, under none. An empty name only looks.
 * Answers for each key: allowed, count, microseconds until the oldest leaves.
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

export interface RedisLimiterOptions {
  url: string
  clock: Clock
  random: Random
  log: Logger
  /** Told when Redis does not answer, and when it does again. */
  noteOutage?: (isAway: boolean) => void
  /** Before every key, so that several installations may share a Redis. */
  prefix?: string
}

/** How long an answer is waited for, ms: one that a request waits for, and one in the background. */
const answerMs = 100
const pingMs = 300

/** Between two tries while Redis is passed over, ms; and after how many the connection is made anew. */
const betweenTries = 250
const triesOfConnection = 8

/**
 * A limiter that several nodes share. Once Redis does not answer it is passed over at once, until it
 * answers again, which is tried in the background. Meanwhile each node limits by its own memory, which
 * knows what this node has let through: a broken Redis neither stops the service nor opens it.
 */
export function createRedisLimiter(options: RedisLimiterOptions): RateLimiter {
  const { url, clock, random, log, noteOutage, prefix = 'skillpass:limit:' } = options
  const insurance = createMemoryLimiter(clock)
  // Fail at once instead of queueing: ioredis by default keeps commands waiting for ever.
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
  let isPassedOver = false
  redis.on('error', (error: Error) => outage.failed({ reason: error.message }))

  async function untilBack(): Promise<void> {
    isPassedOver = true
    for (let tries = 1; isPassedOver && !closing.signal.aborted; tries++) {
      try {
        await within(redis.ping(), pingMs, 'no answer')
        isPassedOver = false
        outage.worked()
      } catch (error) {
        // The first may come before the connection is made, or while this process stood still.
        if (tries > 1) outage.failed({ reason: error instanceof Error ? error.message : '' })
        if (tries % triesOfConnection === 0) redis.disconnect(true)
        await pause(betweenTries, undefined, { ref: false })
      }
    }
  }

  async function askRedis(name: string, limits: readonly WindowLimit[]): Promise<LimitDecision[]> {
    const keys = limits.map(({ key }) => prefix + key)
    const rest = limits.flatMap(({ limit, window }) => [limit, window])
    const asked = redis.eval(script, keys.length, ...keys, name, ...rest)
    const answer = (await within(asked, answerMs, 'no answer')) as number[]
    return limits.map(({ limit }, i) => {
      const [allowed = 0, count = 0, micros = 0] = answer.slice(3 * i, 3 * i + 3)
      return { allowed: allowed === 1, remaining: limit - count, resetMs: micros / 1000 }
    })
  }

  async function shared(name: string, limits: readonly WindowLimit[]) {
    if (isPassedOver) return undefined
    try {
      return await askRedis(name, limits)
    } catch {
      if (!isPassedOver && !closing.signal.aborted) void untilBack()
      return undefined
    }
  }

  return {
    async ask(limits, counts) {
      const verdicts = await shared(counts ? random.uuid() : '', limits)
      if (verdicts?.some(({ allowed }) => !allowed)) return verdicts
      const own = await insurance.ask(limits, counts)
      return verdicts ?? own
    },
    async close() {
      closing.abort()
      redis.disconnect()
      await insurance.close()
    },
  }
}
