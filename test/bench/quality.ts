/** How good the first ten of an answer are, by the tasks' own judgement. */
export interface Quality {
  /** Normalised discounted cumulative gain of the first ten, over all relevant skills. */
  ndcg: number
  /** Share of tasks with a relevant skill first. */
  first: number
  /** Share of tasks with a relevant skill among the ten. */
  ten: number
}

/** Adds up the quality of one answer after the other. */
export function createQualityMeter() {
  let tasks = 0
  let ndcg = 0
  let first = 0
  let ten = 0
  return {
    add(ids: readonly string[], relevant: readonly string[]): void {
      const ranks = ids.slice(0, 10).flatMap((id, rank) => (relevant.includes(id) ? [rank] : []))
      const ideal = Array.from({ length: Math.min(10, relevant.length) }, (_, rank) => rank)
      tasks++
      ndcg += gainOf(ranks) / gainOf(ideal)
      if (ranks.includes(0)) first++
      if (ranks.length > 0) ten++
    },
    mean: (): Quality => ({ ndcg: ndcg / tasks, first: first / tasks, ten: ten / tasks }),
  }
}

const gainOf = (ranks: readonly number[]): number =>
  ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 2), 0)
