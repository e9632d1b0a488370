import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { checkLimit } from '@skillpass/server/internal/runtime/limits/rate-limiter'
import { createRedisLimiter } from '@skillpass/server/internal/runtime/limits/redis-limiter'
import { systemRandom } from '@skillpass/server/internal/secrets/random'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { isRedisRunning, redisUrl } from '../support/redis.ts'
import { until } from '../support/waiting.ts'
import { startPausingProxy } from './pausing-proxy.ts'

test.skipIf(!isRedisRunning)(
  'while Redis does not respond, each node enforces the limits alone, and it uses Redis again after the outage',
  async () => {
    const proxy = await startPausingProxy(redisUrl)
    const lines: string[] = []
    const write = (line: string) => void lines.push(line.includes('is back') ? 'back' : 'away')
    // With a fixed clock, counts never leave the window.
    const clock = { now: () => 0, monotonic: () => 0 }
    const options = { clock, random: systemRandom }
    const log = pino({ level: 'info' }, { write })
    const limiter = createRedisLimiter({ ...options, url: proxy.url, log })
    const silent = pino({ level: 'silent' })
    const other = createRedisLimiter({ ...options, url: redisUrl, log: silent })
    const key = () => `read:${randomUUID()}`
    const limitOf = (key: string) => ({ key, limit: 20, window: 600_000 })
    const take = (subject: string) => checkLimit(limiter, limitOf(subject))
    /** Returns whether the other node sees the counts of this one. */
    const areShared = async () => {
      const probe = key()
      await take(probe)
      return (await checkLimit(other, limitOf(probe))).remaining === 18
    }
    try {
      await until('limits are shared', areShared)
      const subject = key()
      for (let i = 0; i < 15; i++) await take(subject)
      proxy.pause()
      const allowed: boolean[] = []
      for (let i = 0; i < 10; i++) allowed.push((await take(subject)).allowed)
      expect(allowed.filter(Boolean)).toHaveLength(5)
      let isAnswered = false
      void take(key()).then(() => {
        isAnswered = true
      })
      // During the outage, the limiter does not wait for Redis.
      await turn()
      expect(isAnswered).toBe(true)
      await until('the outage is logged', () => lines.at(-1) === 'away')
      proxy.resume()
      await until('limits are shared again', areShared)
      // One line as an outage begins, and one as it ends.
      expect(lines).toEqual(lines.map((_, i) => (i % 2 ? 'back' : 'away')))
      expect(lines.length % 2).toBe(0)
    } finally {
      await limiter.close()
      await other.close()
      await proxy.close()
    }
  },
)
