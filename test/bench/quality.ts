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
      const gains = ids.map((id, rank) => (relevant.includes(id) ? 1 / Math.log2(rank + 2) : 0))
      const ideal = relevant.slice(0, 10).reduce((sum, _, rank) => sum + 1 / Math.log2(rank + 2), 0)
      tasks++
      ndcg += gains.reduce((sum, gain) => sum + gain, 0) / ideal
      if (gains[0] === 1) first++
      if (gains.some((gain) => gain > 0)) ten++
    },
    mean: (): Quality => ({ ndcg: ndcg / tasks, first: first / tasks, ten: ten / tasks }),
  }
}
