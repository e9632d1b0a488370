import type { Context } from '../../context/context.ts'
import { findVectors } from '../store/embeddings.ts'
import { blend } from './blend.ts'
import type { Embedder } from './embedder.ts'
import { cosine } from './vector.ts'

/** How many of the best are ordered again. */
const rerankDepth = 100

/** A hit of resolve. */
interface Ranked {
  readonly skill: { readonly id: string }
  readonly score: number
}

/** Why an order by meaning is not to be had, as the metrics count it. */
type Unranked = 'late' | 'failed' | 'paused' | 'busy' | 'missing'

/**
 * The answer that `rank` gives with its best 100 hits in the order of score and meaning
 * (docs/embeddings.md), as `settle` mends it, cut to the limit; nothing where vectors are not to be had in
 * time. `rank` takes a limit and is asked once the task's vector is there; nothing but what it throws is
 * thrown.
 */
export async function rerank<Hit extends Ranked, Answer extends { data: Hit[] }>(
  ctx: Pick<Context, 'db' | 'log' | 'metrics' | 'trace'>,
  embedder: Embedder,
  { task, limit }: { task: string; limit: number },
  rank: (limit: number) => Promise<Answer>,
  settle: (hits: Hit[]) => readonly Hit[],
): Promise<Answer | undefined> {
  if (embedder.weight === 0) return undefined
  const signal = AbortSignal.timeout(embedder.patience)
  const found = await embedder.ofTask(task, signal, ctx.trace)
  if (found.outcome !== 'ready') {
    ctx.metrics.resolvedByMeaning.inc({ outcome: found.outcome })
    return undefined
  }
  const answer = await rank(Math.max(limit, rerankDepth))
  const ids = answer.data.map(({ skill }) => skill.id)
  const cosines = await cosinesOf(ctx, found, ids, signal)
  if (typeof cosines === 'string') {
    ctx.metrics.resolvedByMeaning.inc({ outcome: cosines })
    return undefined
  }
  ctx.metrics.resolvedByMeaning.inc({ outcome: 'reranked' })
  const scores = answer.data.map(({ score }) => score)
  const data = settle(sortBy(answer.data, blend(scores, cosines, embedder.weight)))
  return { ...answer, data: data.slice(0, limit) }
}

/** Cosines of a task and skills; nothing for those that have no vector yet. */
async function cosinesOf(
  { db, log }: Pick<Context, 'db' | 'log'>,
  task: { space: string; vector: Int8Array },
  ids: readonly string[],
  signal: AbortSignal,
): Promise<(number | undefined)[] | Unranked> {
  try {
    const vectors = await before(signal, findVectors(db.read, task.space, ids))
    if (!vectors) return 'late'
    if (vectors.size === 0) return 'missing'
    return ids.map((id) => {
      const vector = vectors.get(id)
      return vector && cosine(task.vector, vector)
    })
  } catch (error) {
    log.warn({ err: error }, 'vectors could not be read: resolve goes on without')
    return 'failed'
  }
}

/** What a promise gives, or nothing when the signal comes first. */
function before<T>(signal: AbortSignal, promise: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
    promise.then(resolve, reject)
  })
}

/** Largest number first; those of the same number stay in their order. */
const sortBy = <T>(items: readonly T[], numbers: readonly number[]): T[] =>
  items
    .map((item, index) => ({ item, number: numbers[index] ?? 0 }))
    .sort((a, b) => b.number - a.number)
    .map(({ item }) => item)
