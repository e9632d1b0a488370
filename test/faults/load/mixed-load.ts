import { isLong } from '../../support/rounds.ts'
import type { Load } from './load.ts'
import { startRegistryLoad } from './registry-load.ts'
import { type LoadOptions, startTokenLoad } from './token-load.ts'

/** Starts a registry load and a token load together. */
export async function startMixedLoad(options: LoadOptions): Promise<Load> {
  const loads = [
    await startRegistryLoad({ ...options, clients: isLong ? 16 : 4 }),
    startTokenLoad(options),
  ]
  return {
    get responses() {
      const sum: Record<string, number> = {}
      for (const [status, count] of loads.flatMap(({ responses }) => Object.entries(responses))) {
        sum[status] = (sum[status] ?? 0) + count
      }
      return sum
    },
    get broken() {
      return loads.flatMap(({ broken }) => broken)
    },
    acknowledged: () => loads.reduce((sum, load) => sum + load.acknowledged(), 0),
    // Wait for each load, so that the fault hits both.
    untilMore: async (count) => {
      await Promise.all(loads.map((load) => load.untilMore(count / loads.length)))
    },
    stop: async () => {
      await Promise.all(loads.map((load) => load.stop()))
    },
    verify: async (databaseUrl, url) => {
      const verdicts = await Promise.all(loads.map((load) => load.verify(databaseUrl, url)))
      return {
        checked: verdicts.reduce((sum, { checked }) => sum + checked, 0),
        lost: verdicts.flatMap(({ lost }) => lost),
        keptUnanswered: verdicts.flatMap(({ keptUnanswered }) => keptUnanswered),
      }
    },
  }
}
