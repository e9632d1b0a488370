import { isLong } from '../../support/rounds.ts'
import type { LoadFixture } from './fixture.ts'
import { type Load, type Notes, type Pace, sumOf } from './load.ts'
import { startRegistryLoad } from './registry-load.ts'
import { startTokenLoad } from './token-load.ts'

/** Agents that write to the registry, and apps and users that deal with tokens: by default 4 agents, in the long tests 16. */
export async function startMixedLoad(
  options: Pace & { url: string; fixture: LoadFixture; seed: number; agents?: number },
): Promise<Load> {
  const loads = await Promise.all([
    startRegistryLoad({ ...options, clients: options.agents ?? (isLong ? 16 : 4) }),
    startTokenLoad(options),
  ])
  return {
    get answers() {
      return sumOf(loads.map(({ answers }) => answers))
    },
    get broken() {
      return loads.flatMap(({ broken }) => broken)
    },
    acknowledged: () => loads.reduce((sum, load) => sum + load.acknowledged(), 0),
    kinds: () => sumOf(loads.map((load) => load.kinds())),
    untilMore: async (count) => {
      await Promise.all(loads.map((load) => load.untilMore(count / loads.length)))
    },
    snapshot: () => joined(loads.map((load) => load.snapshot())),
    stop: async () => {
      await Promise.all(loads.map((load) => load.stop()))
    },
    notes: joined(loads.map(({ notes }) => notes)),
  }
}

const joined = (all: Notes[]): Notes => ({
  verify: async (databaseUrl, url) => {
    const verdicts = await Promise.all(all.map((notes) => notes.verify(databaseUrl, url)))
    return {
      checked: verdicts.reduce((sum, { checked }) => sum + checked, 0),
      lost: verdicts.flatMap(({ lost }) => lost),
      keptUnanswered: verdicts.flatMap(({ keptUnanswered }) => keptUnanswered),
    }
  },
})
