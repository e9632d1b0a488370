import { expect, test } from 'vitest'
import { engines } from '../../support/databases.ts'
import { reportFigure } from '../../support/rounds.ts'
import { fullPlan, offeredNames, outcomeOf, prepareOverload, runOverload } from './overload.ts'
import { canStorm } from './storm.ts'

test.runIf(canStorm).each(engines)(
  'a server on %s that is offered three times its capacity keeps 80 percent of its good answers',
  async (engine) => {
    const prepared = await prepareOverload(engine)
    try {
      for (const name of offeredNames) {
        const result = await runOverload(prepared, name, fullPlan)
        const perSecond = result.capacity.all.good / fullPlan.capacitySeconds
        const { worstShare, p99, recovery } = outcomeOf(result, perSecond)
        const share = `${Math.round(100 * worstShare)} % of ${Math.round(perSecond)}/s`
        reportFigure(
          `${name} on ${engine}: ${share} in the worst second, p99 ${p99} ms, recovered in ${recovery} s`,
        )
        expect.soft(result.storm.all.refused, name).toBeGreaterThan(0)
        expect.soft(worstShare, name).toBeGreaterThanOrEqual(0.8)
        expect.soft(p99, name).toBeLessThan(500)
        expect.soft(recovery, name).toBeLessThanOrEqual(2)
      }
    } finally {
      await prepared.remove()
    }
  },
)
