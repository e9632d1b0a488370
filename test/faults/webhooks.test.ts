import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { removeUnderKills } from './webhooks.ts'

const seed = Date.now() % 1_000_000

describe.each(engines)('kill -9 while users remove apps on %s', (engine) => {
  test('leaves no removal without its event; each comes, signed, repeats with the same id and bytes', async () => {
    const run = await removeUnderKills(engine, { removals: 60, seed, skipsLeases: true })
    const { wrong, ...figures } = run
    console.log(`removals under kill -9 on ${engine}, seed ${seed}:`, figures)
    expect(wrong).toEqual([])
    expect(run.removed).toBe(60)
    expect(run.events).toBe(60)
    expect(run.kills).toBeGreaterThan(1)
  }, 90_000)
})
