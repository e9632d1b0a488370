import { randomInt } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { isRedisRunning, redisUrl } from '../support/redis.ts'
import { serverForTest } from '../support/skills.ts'
import { until } from '../support/waiting.ts'
import { startPausingProxy } from './pausing-proxy.ts'

test.skipIf(!isRedisRunning)(
  'while Redis does not respond, each node enforces the limits alone, and then shares them again',
  async () => {
    const proxy = await startPausingProxy(redisUrl)
    const outages: string[] = []
    const write = (line: string) => {
      if (/redis/i.test(line)) outages.push(line.includes('is back') ? 'back' : 'away')
    }
    const log = pino({ level: 'info' }, { write })
    const env = { TRUST_PROXY: 'loopback', RATE_LIMIT_READS_PER_MINUTE: '20' }
    const node = await serverForTest({ env: { ...env, REDIS_URL: proxy.url }, log })
    const { clock } = node
    const other = await serverForTest({ clock, env: { ...env, REDIS_URL: redisUrl } })
    const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
    const read = (address: string, from = node) =>
      from.http('/api/v1/skills/trending', { headers: { 'x-forwarded-for': address } })
    /** Returns whether the other node sees the counts of this one. */
    const areShared = async () => {
      const probe = newAddress()
      await read(probe)
      return (await read(probe, other)).headers.get('x-ratelimit-remaining') === '18'
    }
    try {
      await until('limits are shared', areShared)
      const address = newAddress()
      for (let i = 0; i < 15; i++) await read(address)
      proxy.pause()
      const statuses: number[] = []
      for (let i = 0; i < 10; i++) statuses.push((await read(address)).status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(5)
      await until('the outage is logged', () => outages.at(-1) === 'away')
      proxy.resume()
      await until('limits are shared again', areShared)
      // One line as an outage begins, and one as it ends.
      expect(outages).toEqual(outages.map((_, i) => (i % 2 ? 'back' : 'away')))
      expect(outages.length % 2).toBe(0)
    } finally {
      await node.end()
      await proxy.close()
    }
  },
)
