import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { createSteps } from '@skillpass/server/internal/runtime/steps'
import { createSkillIndex } from '@skillpass/server/internal/search/index'
import { type CorpusSkill, readSkills, readTasks, type Task } from '../../support/corpus.ts'
import { seededRandom, shuffled } from '../../support/random.ts'
import { printTable } from '../table.ts'
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

const THRESHOLD = 0.3

/** Everyday work of agents that no skill serves: thirty tasks of each of ten kinds. */
const EVERYDAY_TASKS = linesOf('everyday-tasks.txt')

/** Out-of-domain questions. The development tasks have only 34. */
const OUT_OF_DOMAIN_TASKS = linesOf('out-of-domain-tasks.txt')

/** Reads the lines of a file in this folder, without headings. */
function linesOf(name: string): string[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('# '))
}

/** Prints quality and calibration of resolve for each corpus. */
function printRanking(corpora: readonly (readonly CorpusSkill[])[], tasks: readonly Task[]): void {
  printTable(
    `Ranking, and confidence at threshold ${THRESHOLD} (weights were fitted on these tasks)`,
    [
      ...['skills', 'tasks', 'nDCG@10', 'H@1', 'H@10'],
      ...['calibration error of best hit', 'correct best hits at threshold'],
      ...['no hit: out of domain (dev)', 'out of domain', 'everyday'],
    ],
    corpora.map((skills) => row(skills, tasks)),
  )
}

/** Measures one corpus. Tasks without a relevant skill in the corpus are skipped. */
function row(skills: readonly CorpusSkill[], tasks: readonly Task[]): (string | number)[] {
  const index = createSkillIndex(createSteps())
  index.beginLoad()
  // The slot of a skill is its position.
  for (const [slot, skill] of skills.entries()) index.put(slot, skill)
  index.endLoad()
  const ids = new Set(skills.map(({ id }) => id))
  const view = { createdAt: 0, voteBalance: 0, demotion: 1, isEligible: true, originals: [] }
  const resolve = (task: string) => {
    // Equal scores are ordered by slot.
    const viewOf = (slot: number) => ({ ...view, id: String(slot).padStart(8, '0') })
    return index.resolve(task, { limit: 10, threshold: 0 }, viewOf).hits
  }
  const bins = Array.from({ length: 10 }, () => 0)
  const positives = tasks.filter(
    ({ kind, relevant }) => kind === 'positive' && relevant.some((id) => ids.has(id)),
  )
  let ndcg = 0
  let correct = 0
  let aboveThreshold = 0
  let inTopTen = 0
  for (const task of positives) {
    const hits = resolve(task.task)
    const ranks = hits.flatMap(({ slot }, rank) =>
      task.relevant.includes(skills[slot]?.id ?? '') ? [rank] : [],
    )
    ndcg += gainOf(ranks) / gainOf(task.relevant.slice(0, 10).keys())
    if (ranks.length > 0) inTopTen++
    const { confidence = 0 } = hits[0] ?? {}
    const isCorrect = ranks[0] === 0
    const bin = Math.min(9, Math.floor(confidence * 10))
    bins[bin] = (bins[bin] ?? 0) + confidence - Number(isCorrect)
    if (isCorrect) correct++
    if (isCorrect && confidence >= THRESHOLD) aboveThreshold++
  }
  const outOfDomain = tasks.filter((task) => task.negative_type === 'out-of-domain')
  const error = bins.reduce((sum, bin) => sum + Math.abs(bin), 0) / positives.length
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  const shareWithoutHit = (unserved: readonly string[]) => {
    const hasNoHit = (task: string) => (resolve(task)[0]?.confidence ?? 0) < THRESHOLD
    return percent(unserved.filter(hasNoHit).length / unserved.length)
  }
  return [
    ...[skills.length, positives.length, (ndcg / positives.length).toFixed(3)],
    ...[
      (correct / positives.length).toFixed(3),
      (inTopTen / positives.length).toFixed(3),
      error.toFixed(3),
    ],
    ...[percent(aboveThreshold / correct), shareWithoutHit(outOfDomain.map(({ task }) => task))],
    ...[shareWithoutHit(OUT_OF_DOMAIN_TASKS), shareWithoutHit(EVERYDAY_TASKS)],
  ]
}

/** Returns the discounted cumulative gain of relevant hits at these ranks, from 0. */
const gainOf = (ranks: Iterable<number>): number =>
  [...ranks].reduce((sum, rank) => sum + 1 / Math.log2(rank + 2), 0)
