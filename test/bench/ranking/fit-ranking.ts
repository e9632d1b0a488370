/**
 * Learns the ranking weights of server/src/search/constants/constants.ts from the development tasks
 * over all skills, and reports how they hold on folds by source repository.
 *
 *     node --import tsx --conditions=@skillpass/source test/bench/ranking/fit-ranking.ts
 */

import { corpusMissing, readSkills, readTasks, type Task } from '../../support/corpus.ts'
import type { Quality } from '../quality.ts'
import { runAsScript } from '../script.ts'
import { printTable } from '../table.ts'
import { FOLDS } from './confidence-samples.ts'
import { type IndexedCorpus, indexCorpus } from './indexed-corpus.ts'
import {
  gatherRankings,
  judge,
  PRESENT,
  type RankingSample,
  type RankingWeights,
  splitFolds,
} from './ranking-samples.ts'

/** What each weight may be: far from the present ones on both sides. */
const LARGEST = 0.8
const STEP = 0.05
const GRID = Array.from({ length: Math.round(LARGEST / STEP) + 1 }, (_, i) => round(i * STEP))

/** Knows nothing of the present weights, which were chosen on all of the tasks. */
const START: RankingWeights = [0, 0, 0, 0]
const ROUNDS = 8

/** Prints what weights learned on four folds give on the fifth, beside the present ones. */
export function printRankingFolds(corpus: IndexedCorpus, tasks: readonly Task[]): void {
  const samples = gatherRankings(corpus, tasks)
  const folds = splitFolds(samples).map(({ held, others }, fold) => {
    const weights = learn(others)
    return {
      name: `fold ${fold + 1}`,
      weights,
      tasks: held.length,
      learned: judge(held, weights),
      present: judge(held, PRESENT),
    }
  })
  const weights = learn(samples)
  const pooled = {
    tasks: samples.length,
    learned: meanOf(folds.map(({ learned, tasks }) => ({ quality: learned, tasks }))),
    present: judge(samples, PRESENT),
  }
  const all = { ...pooled, weights, learned: judge(samples, weights) }
  printTable(
    `Ranking weights learned on ${FOLDS - 1} folds by source repository, judged on the other`,
    [
      ...['judged on', 'tasks', 'learned: G1', 'G4', 'P', 'C', 'nDCG@10', 'H@1', 'H@10'],
      ...['as they are: nDCG@10', 'H@1', 'H@10'],
    ],
    [
      ...folds,
      { ...pooled, name: 'all folds', weights: undefined },
      { ...all, name: 'all, learned on all' },
    ].map(({ name, tasks, weights, learned, present }) => [
      name,
      tasks,
      ...(weights ?? START.map(() => '')),
      ...figures(learned),
      ...figures(present),
    ]),
  )
  const named = ['PAIR_WEIGHT', 'WINDOW_WEIGHT', 'NAME_PRECISION_WEIGHT', 'COVERAGE_WEIGHT']
  console.log(named.map((name, i) => `${name} = ${weights[i]} (now ${PRESENT[i]})`).join(', '))
}

/** Coordinate search: each weight in turn, to where nDCG is best, until none moves. */
function learn(samples: readonly RankingSample[]): RankingWeights {
  let weights = START
  for (let round = 0; round < ROUNDS; round++) {
    const before = weights
    for (let at = 0; at < weights.length; at++) weights = best(samples, weights, at)
    if (weights.every((weight, i) => weight === before[i])) break
  }
  return weights
}

/** One weight on a grid; a mean with its neighbours keeps it from a peak of a task or two. */
function best(samples: readonly RankingSample[], weights: RankingWeights, at: number) {
  const withOne = (value: number): RankingWeights => {
    const [g1, g4, p, c] = weights.map((weight, i) => (i === at ? value : weight))
    return [g1 ?? 0, g4 ?? 0, p ?? 0, c ?? 0]
  }
  const gains = GRID.map((value) => judge(samples, withOne(value)).ndcg)
  const smooth = gains.map((gain, i) => {
    const near = [gains[i - 1] ?? gain, gain, gains[i + 1] ?? gain]
    return near.reduce((sum, each) => sum + each, 0) / near.length
  })
  return withOne(GRID[smooth.indexOf(Math.max(...smooth))] ?? 0)
}

function meanOf(parts: readonly { quality: Quality; tasks: number }[]): Quality {
  const tasks = parts.reduce((sum, part) => sum + part.tasks, 0)
  const mean = (of: keyof Quality) =>
    parts.reduce((sum, part) => sum + part.quality[of] * part.tasks, 0) / tasks
  return { ndcg: mean('ndcg'), first: mean('first'), ten: mean('ten') }
}

const figures = ({ ndcg, first, ten }: Quality): string[] =>
  [ndcg, first, ten].map((share) => share.toFixed(3))

function round(weight: number): number {
  return Number(weight.toFixed(2))
}

runAsScript(import.meta.url, async () => {
  const missing = corpusMissing()
  if (missing === undefined) printRankingFolds(indexCorpus(readSkills()), readTasks())
  else console.log(`Skipped: ${missing}.`)
})
