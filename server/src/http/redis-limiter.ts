import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Clock, Random } from '../context.ts'
import { createOutage } from '../outage.ts'
import { createMemoryLimiter, type RateLimiter } from './rate-limiter.ts'

/**
 * The sliding window in Redis: a sorted set of the requests let through, on Redis's own clock so
 * that all nodes agree. Counts the request named by the third argument, or looks where that is empty. Answers { allowed, count, microseconds until the oldest leaves }.
 */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = tonumber(ARGV[2]) * 1000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local count = redis.call('ZCARD', KEYS[1])
local allowed = 0
if count < tonumber(ARGV[1]) then
  allowed = 1
end
if allowed == 1 and ARGV[3] ~= '' then
  count = count + 1
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] or now
return { allowed, count, oldest + window - now }
`

export interface RedisLimiterOptions {
  url: string
  clock: Clock
  random: Random
  log: Logger
  /** Before every key, so that several installations may share a Redis. */
  prefix?: string
}

/**
 * A limiter that several nodes share. While Redis does not answer, each node limits by its own
 * memory, so that a broken Redis neither stops the service nor opens it.
 */
export function createRedisLimiter(options: RedisLimiterOptions): RateLimiter {
  const { url, clock, random, log, prefix = 'skillpass:limit:' } = options
  const insurance = createMemoryLimiter(clock)
  // Fail at once instead of queueing: ioredis by default keeps commands waiting for ever.
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 100,
    connectTimeout: 1000,
    retryStrategy: (attempt) => Math.min(100 * attempt, 2000),
  })
  const outage = createOutage(
    log,
    'redis unreachable, limiting per node',
    'redis is back, limits are shared again',
  )
  redis.on('error', (error: Error) => outage.failed({ reason: error.message }))
  redis.on('ready', outage.worked)
  const ask = async (name: string, key: string, limit: number, windowMs: number) => {
    const answer = await redis.eval(script, 1, prefix + key, limit, windowMs, name)
    const [allowed, count, micros] = answer as [number, number, number]
    return { allowed: allowed === 1, remaining: limit - count, resetMs: micros / 1000 }
  }
  return {
    take: (key, limit, windowMs) =>
      ask(random.uuid(), key, limit, windowMs).catch(() => insurance.take(key, limit, windowMs)),
    look: (key, limit, windowMs) =>
      ask('', key, limit, windowMs).catch(() => insurance.look(key, limit, windowMs)),
    async close() {
      redis.disconnect()
      await insurance.close()
    },
  }
}
