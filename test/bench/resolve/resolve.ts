import { availableParallelism, loadavg } from 'node:os'
import { readSkills, readTasks } from '../../support/corpus.ts'
import { seededRandom, shuffled } from '../../support/random.ts'
import { printRanking } from './ranking.ts'
import { measureServing, printServing, type ServingFigures } from './serving.ts'

/** Parts of the benchmark that can run alone. */
export const resolveParts = ['ranking', 'serving'] as const

export interface ResolveBench {
  parts: ReadonlySet<(typeof resolveParts)[number]>
  /** Catalogue sizes; `corpus` is the size of the corpus. */
  sizes: readonly (number | 'corpus')[]
}

/**
 * Measures ranking quality and confidence on the corpus, and resolve over HTTP for each catalogue
 * size.
 */
export async function benchResolve({ parts, sizes }: ResolveBench): Promise<void> {
  const load = loadavg().map((each) => each.toFixed(1))
  console.log(
    `Node ${process.versions.node}, ${availableParallelism()} cores, load before ${load.join(', ')}`,
  )
  const real = readSkills()
  const tasks = readTasks()
  if (parts.has('ranking')) {
    const tenth = shuffled(real, seededRandom(10)).slice(0, Math.round(real.length / 10))
    printRanking([real, tenth], tasks)
  }
  if (!parts.has('serving')) return
  const served: ServingFigures[] = []
  for (const size of sizes) {
    served.push(await measureServing(real, size === 'corpus' ? real.length : size))
  }
  printServing(served)
}
