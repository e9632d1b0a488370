import { indexCorpus } from './indexed-corpus.ts'
import { printConfidence } from './resolve-confidence.ts'
import { readSkills, readTasks, seededRandom, shuffled } from './resolve-data.ts'
import { type EngineOutcome, measureEngines, printQuality, printScale } from './resolve-engines.ts'
import { printServing } from './resolve-serving.ts'
import { printTypos } from './resolve-typos.ts'
import { measureServing, type ServingFigures } from './serving.ts'

/** Sizes at which throughput is compared with a bare Express handler. */
const compared = { smallest: 10_000, largest: 100_000 }

/**
 * The index on real skills and the tasks of their authors: quality and cost against SQLite's FTS5
 * and MiniSearch, confidence, typing errors, and how it all goes with catalogues of 1,000 to 100,000
 * skills, in full to 1,000,000, in process and over HTTP.
 */
export async function benchResolve({ full }: { full: boolean }): Promise<void> {
  const real = readSkills()
  const tasks = readTasks()
  const positives = tasks.filter(({ kind }) => kind === 'positive')

  const whole = indexCorpus(real)
  const tenth = shuffled(real, seededRandom(10)).slice(0, Math.round(real.length / 10))
  printConfidence([whole, indexCorpus(tenth)], tasks)
  printTypos(whole, positives)

  const sizes = [1_000, real.length, 100_000, ...(full ? [300_000, 1_000_000] : [])]
  const outcomes: EngineOutcome[] = []
  for (const size of sizes) {
    const measured = await measureEngines(size, size > real.length ? 20 : 5)
    if (size === real.length) printQuality(measured, positives.length)
    outcomes.push(...measured)
  }
  printScale(outcomes)

  const served: ServingFigures[] = []
  for (const size of sizes) {
    const throughput = size >= compared.smallest && size <= compared.largest
    served.push(await measureServing(real, size, { throughput }))
  }
  printServing(served)
}
