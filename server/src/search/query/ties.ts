import { NEAR_EQUAL } from '../constants/constants.ts'

/** What is put in order: a skill by its slot, with its score. */
export interface Scored {
  slot: number
  score: number
}

/** A hit's numbers, neither of which rises along an answer. */
export interface HitNumbers {
  score: number
  confidence: number
}

export type Order = (a: Scored, b: Scored) => number

const bySlot = (a: number, b: number) => a - b

/** The highest score first, equal ones in the order of their slots. */
export const byScore =
  (order: (a: number, b: number) => number = bySlot): Order =>
  (a, b) =>
    // their difference would be a number on the heap for every comparison
    a.score === b.score ? order(a.slot, b.slot) : a.score < b.score ? 1 : -1

/** The end of the run, from `from`, of scores that count as equal to its first. */
export function nearEqual(ranked: readonly Scored[], from: number): number {
  const least = (ranked[from]?.score ?? 0) * (1 - NEAR_EQUAL)
  let end = from + 1
  while (end < ranked.length && (ranked[end]?.score ?? 0) >= least) end++
  return end
}

/** Orders each run of near-equal scores by trust; scores shown never rise along the list. */
export function settleTies<T extends Scored>(
  ranked: readonly T[],
  prior: (slot: number) => number,
  before: Order,
): T[] {
  const settled: T[] = []
  for (let i = 0; i < ranked.length; ) {
    const end = nearEqual(ranked, i)
    if (end === i + 1) {
      settled.push(ranked[i++] as T)
      continue
    }
    const run = ranked.slice(i, end)
    const trust = new Map(run.map(({ slot }) => [slot, prior(slot)]))
    run.sort((a, b) => (trust.get(b.slot) ?? 0) - (trust.get(a.slot) ?? 0) || before(a, b))
    let ceiling = Number.POSITIVE_INFINITY
    for (const hit of run) {
      ceiling = Math.min(ceiling, hit.score)
      settled.push(ceiling < hit.score ? { ...hit, score: ceiling } : hit)
    }
    i = end
  }
  return settled
}
