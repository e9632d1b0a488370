import {
  COVERAGE_WEIGHT,
  NAME_PRECISION_WEIGHT,
  PAIR_WEIGHT,
  RESCORED,
  WINDOW_WEIGHT,
} from '@skillpass/server/search/constants/constants'
import type { HitGround } from '@skillpass/server/search/index'
import type { ScoreParts } from '@skillpass/server/search/query/rank'
import type { Task } from '../../support/corpus.ts'
import { createQualityMeter, type Quality } from '../quality.ts'
import { FOLDS, foldsOf, repositoryOf } from './confidence-samples.ts'
import type { IndexedCorpus } from './indexed-corpus.ts'

/** What G1, G4, P and C weigh beside B, in this order (server/docs/search/ranking.md). */
export type RankingWeights = readonly [number, number, number, number]

/** The weights that the ranking has now. */
export const PRESENT: RankingWeights = [
  PAIR_WEIGHT,
  WINDOW_WEIGHT,
  NAME_PRECISION_WEIGHT,
  COVERAGE_WEIGHT,
]

/** A task with the parts of its candidates' scores. */
export interface RankingSample {
  /** From 0 to FOLDS − 1, by source repository. */
  fold: number
  /** How many skills serve the task, candidates or not. */
  relevant: number
  /** By slot, so that of equal scores the earlier stands first. */
  candidates: { right: boolean; parts: readonly number[] }[]
}

/**
 * Asks each task for as many hits as candidates have their heads read, so that all of these are read
 * whole and have exact parts: four times as many as where ten are wanted.
 */
export function gatherRankings(corpus: IndexedCorpus, tasks: readonly Task[]): RankingSample[] {
  const folds = foldsOf(tasks)
  return tasks
    .filter(({ kind }) => kind === 'positive')
    .map((task) => {
      const found: (RankingSample['candidates'][number] & { slot: number })[] = []
      const grounds: HitGround[] = []
      // no confidence reaches it: nothing is presented, and each candidate is told once
      corpus.resolve(task.task, { limit: RESCORED, threshold: 1 }, grounds)
      for (const { slot, evidence, parts } of grounds) {
        if (parts === undefined) continue
        const shares = sharesOf(parts)
        if (Math.abs(scoreOf(shares, PRESENT) - evidence.score) > 1e-9) {
          throw new Error('the score of rank.ts has become another than the one fitted here')
        }
        found.push({ slot, right: task.relevant.includes(corpus.idOf(slot)), parts: shares })
      }
      return {
        fold: folds.get(repositoryOf(task)) ?? 0,
        relevant: task.relevant.length,
        candidates: found.sort((a, b) => a.slot - b.slot),
      }
    })
}

/** B, then what the weights are for, each as it is added. */
function sharesOf({ words, beside, near, namePrecision, headIdf, prose, bound, idf }: ScoreParts) {
  return [words / bound, beside / bound, near / bound, namePrecision, (prose * headIdf) / idf]
}

const scoreOf = (parts: readonly number[], weights: RankingWeights): number =>
  weights.reduce((sum, weight, i) => sum + weight * (parts[i + 1] ?? 0), parts[0] ?? 0)

/** How well the candidates stand when ordered by these weights. */
export function judge(samples: readonly RankingSample[], weights: RankingWeights): Quality {
  const meter = createQualityMeter()
  for (const { candidates, relevant } of samples) {
    const scores = candidates.map(({ parts }) => scoreOf(parts, weights))
    const ranks: number[] = []
    candidates.forEach(({ right }, i) => {
      if (right) ranks.push(rankIn(scores, i))
    })
    meter.addRanks(ranks, relevant)
  }
  return meter.mean()
}

/** How many stand before this one. */
function rankIn(scores: readonly number[], at: number): number {
  const own = scores[at] ?? 0
  let rank = 0
  scores.forEach((score, i) => {
    if (score > own || (score === own && i < at)) rank++
  })
  return rank
}

/** The samples of a fold, and those of the others. */
export function splitFolds(samples: readonly RankingSample[]) {
  return Array.from({ length: FOLDS }, (_, fold) => ({
    held: samples.filter((sample) => sample.fold === fold),
    others: samples.filter((sample) => sample.fold !== fold),
  }))
}
