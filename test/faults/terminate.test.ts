import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { summarise, terminateRounds } from './terminate.ts'

const seed = Date.now() % 1_000_000

describe.each(engines)('SIGTERM under load on %s', (engine) => {
  test('cuts no answer, loses nothing and ends with 0 within 5 s', async () => {
    const rounds = await terminateRounds(engine, { rounds: 3, seed })
    console.log(`SIGTERM on ${engine}, seed ${seed}:`, summarise(rounds))
    for (const { acknowledged, kinds, ending, ms, cut, lost, integrity, said } of rounds) {
      expect(ending).toEqual({ code: 0, signal: null })
      expect(cut).toEqual([])
      expect(lost).toEqual([])
      expect(integrity).toBe('ok')
      expect(said).toBe('')
      expect(acknowledged).toBeGreaterThan(40)
      expect(acknowledged - (kinds.registry ?? 0)).toBeGreaterThan(20)
      expect(ms).toBeLessThan(5000)
    }
  }, 60_000)
})
