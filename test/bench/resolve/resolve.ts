import { availableParallelism, loadavg } from 'node:os'
import { type CorpusSkill, readSkills, readTasks, type Task } from '../../support/corpus.ts'
import { seededRandom, shuffled } from '../../support/random.ts'
import {
  type EngineOutcome,
  measureEngines,
  printQuality,
  printScale,
} from '../engines/resolve-engines.ts'
import { printConfidenceFolds } from '../ranking/fit-confidence.ts'
import { indexCorpus } from '../ranking/indexed-corpus.ts'
import { printConfidence } from './confidence.ts'
import { measureServing, type ServingFigures } from './serving.ts'
import { printServing } from './serving-table.ts'

/** Parts of the benchmark, which can be run alone. */
export const resolveParts = ['folds', 'confidence', 'engines', 'serving'] as const

type ResolvePart = (typeof resolveParts)[number]

export interface ResolveBench {
  parts: ReadonlySet<ResolvePart>
  /** Sizes of catalogues; `corpus` is that of the real one. */
  sizes: readonly (number | 'corpus')[]
}

/** Sizes at which throughput is compared with a bare Express handler. */
const compared = { smallest: 10_000, largest: 100_000 }

/**
 * The index on real skills and the tasks of their authors: what is learned on some of the tasks,
 * judged on others; confidence; quality and cost against SQLite's FTS5; and how catalogues of every size are served over HTTP.
 */
export async function benchResolve({ parts, sizes }: ResolveBench): Promise<void> {
  const load = loadavg().map((each) => each.toFixed(1))
  console.log(
    `Node ${process.versions.node}, ${availableParallelism()} cores, load before ${load.join(', ')}`,
  )
  const real = readSkills()
  const tasks = readTasks()
  const counts = sizes.map((size) => (size === 'corpus' ? real.length : size))
  if (parts.has('folds')) {
    printConfidenceFolds(real, tasks)
  }
  if (parts.has('confidence')) benchConfidence(real, tasks)
  if (parts.has('engines')) await benchEngines(real.length, counts, tasks)
  if (parts.has('serving')) await benchServing(real, counts)
}

function benchConfidence(real: readonly CorpusSkill[], tasks: readonly Task[]) {
  const whole = indexCorpus(real)
  const tenth = shuffled(real, seededRandom(10)).slice(0, Math.round(real.length / 10))
  printConfidence([whole, indexCorpus(tenth)], tasks)
}

async function benchEngines(corpus: number, sizes: readonly number[], tasks: readonly Task[]) {
  const outcomes: EngineOutcome[] = []
  for (const size of sizes) {
    const measured = await measureEngines(size, size > corpus ? 20 : 5)
    if (size === corpus) {
      printQuality(measured, tasks.filter(({ kind }) => kind === 'positive').length)
    }
    outcomes.push(...measured)
  }
  printScale(outcomes)
}

async function benchServing(real: readonly CorpusSkill[], sizes: readonly number[]) {
  const served: ServingFigures[] = []
  for (const size of sizes) {
    const throughput = size >= compared.smallest && size <= compared.largest
    served.push(await measureServing(real, size, { throughput }))
  }
  printServing(served)
}
