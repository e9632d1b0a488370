import { randomUUID } from 'node:crypto'
import { createRedisLimiter } from '@skillpass/server/limits/redis-limiter'
import { systemClock, systemRandom } from '@skillpass/server/runtime/time'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startPausingProxy } from '../../support/pausing-proxy.ts'
import { redisAnswers, redisUrl } from '../../support/redis.ts'
import { until } from '../../support/waiting.ts'

test.skipIf(!redisAnswers)(
  'a silent Redis is passed over, the limit is kept by what this node let through, and it is found again',
  async () => {
    const proxy = await startPausingProxy(redisUrl)
    const lines: string[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const said = (words: string) => lines.filter((line) => line.includes(words)).length
    const limiter = createRedisLimiter({
      url: proxy.url,
      clock: systemClock,
      random: systemRandom,
      log,
    })
    const other = createRedisLimiter({
      url: redisUrl,
      clock: systemClock,
      random: systemRandom,
      log: pino({ level: 'silent' }),
    })
    const key = () => `read:${randomUUID()}`
    /** Whether what one counts, the other sees. */
    const areShared = async () => {
      const probe = key()
      await limiter.take(probe, 5, 60_000)
      return (await other.take(probe, 5, 60_000)).remaining === 3
    }
    try {
      await until('limits are shared', areShared)
      const subject = key()
      for (let i = 0; i < 15; i++) await limiter.take(subject, 20, 60_000)
      proxy.pause()
      const allowed: boolean[] = []
      for (let i = 0; i < 10; i++) allowed.push((await limiter.take(subject, 20, 60_000)).allowed)
      expect(allowed.filter(Boolean)).toHaveLength(5)
      // One after the other: at a tenth of a second each they would not end in time.
      for (let i = 0; i < 1000; i++) await limiter.take(key(), 20, 60_000)
      await until('it is said', () => said('redis unreachable') > 0)
      proxy.resume()
      await until('limits are shared again', areShared)
      expect(said('redis unreachable')).toBe(1)
      expect(said('redis is back')).toBe(1)
    } finally {
      await limiter.close()
      await other.close()
      await proxy.close()
    }
  },
  60_000,
)
