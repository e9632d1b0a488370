import { describe, expect, test } from 'vitest'
import { engines } from '../../support/databases.ts'
import { isLongForm, reportFigure } from '../../support/rounds.ts'
import { fullPlan, makeScene, offeredNames, outcomeOf, runOverload } from './overload.ts'
import { canStorm } from './storm.ts'

const shortPlan = {
  connections: 32,
  warmUpSeconds: 1,
  capacitySeconds: 1,
  factor: 4,
  stormSeconds: 3,
  afterSeconds: 3,
}

describe.runIf(canStorm && !isLongForm)('offered more than it can do', () => {
  test('a server refuses what it could not answer, serves the rest, and then lets all in again', async () => {
    const scene = await makeScene('sqlite', false)
    try {
      const { storm, after } = await runOverload(scene, 'tokens', shortPlan)
      expect(storm.all.refused).toBeGreaterThan(0)
      for (const { good } of storm.each) expect(good).toBeGreaterThan(0)
      // Whoever is let in gets an answer: nobody waits until they leave.
      expect(storm.all.left).toBeLessThan(0.05 * storm.all.offered)
      // Beside other tests half the capacity is now and then too much again, for a tenth of a second.
      const refused = after.each.slice(-10).map(({ refused }) => refused)
      expect(refused.filter((count) => count === 0).length).toBeGreaterThan(2)
    } finally {
      await scene.remove()
    }
  }, 60_000)
})

describe.runIf(canStorm && isLongForm)('three times the capacity', () => {
  test.each(engines)(
    'on %s: the good answers stay, in time',
    async (engine) => {
      const scene = await makeScene(engine)
      try {
        for (const name of offeredNames) {
          const result = await runOverload(scene, name, fullPlan)
          const perSecond = result.capacity.all.good / fullPlan.capacitySeconds
          const { worstShare, p99, recovery } = outcomeOf(result, perSecond)
          const share = `${Math.round(100 * worstShare)} % of ${Math.round(perSecond)}/s`
          reportFigure(
            `${name} on ${engine}: ${share} in the worst second, p99 ${p99} ms, recovered in ${recovery} s`,
          )
          expect.soft(worstShare, name).toBeGreaterThanOrEqual(0.8)
          expect.soft(p99, name).toBeLessThan(500)
          expect.soft(recovery, name).toBeLessThanOrEqual(2)
        }
      } finally {
        await scene.remove()
      }
    },
    900_000,
  )
})
