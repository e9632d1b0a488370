import type { Context } from '../../context.ts'
import { findVectors } from '../store/embeddings.ts'
import { blend } from './blend.ts'
import type { Embedder } from './embedder.ts'
import { cosine } from './vector.ts'

/** How many of the best are ordered again. */
export const rerankDepth = 100

/** A hit as resolve shows it. */
interface Ranked {
  readonly skill: { readonly id: string }
  readonly score: number
}

/** What came of it, as the metrics count it. */
type Outcome = 'reranked' | 'late' | 'failed' | 'paused' | 'busy' | 'missing'

/**
 * Orders the best hits of a task again by score and meaning (docs/embeddings.md); the same hits as
 * they are where vectors are not to be had in time. Does not throw.
 */
export async function rerank<Hit extends Ranked>(
  ctx: Pick<Context, 'embeddings' | 'db' | 'log' | 'metrics'>,
  task: string,
  hits: readonly Hit[],
): Promise<readonly Hit[]> {
  const { embeddings } = ctx
  if (!embeddings || embeddings.weight === 0 || hits.length < 2) return hits
  const signal = AbortSignal.timeout(embeddings.patience)
  const best = hits.slice(0, rerankDepth)
  const result = await orderAgain(ctx, embeddings, task, best, signal)
  const outcome = Array.isArray(result) ? 'reranked' : result
  ctx.metrics.resolvedByMeaning.inc({ outcome })
  return Array.isArray(result) ? [...result, ...hits.slice(rerankDepth)] : hits
}

async function orderAgain<Hit extends Ranked>(
  { db, log }: Pick<Context, 'db' | 'log'>,
  embedder: Embedder,
  task: string,
  hits: readonly Hit[],
  signal: AbortSignal,
): Promise<Hit[] | Outcome> {
  const found = await embedder.ofTask(task, signal)
  if (found.outcome !== 'ready') return found.outcome
  const ids = hits.map(({ skill }) => skill.id)
  try {
    const vectors = await before(signal, findVectors(db.read, found.space, ids))
    if (!vectors) return 'late'
    if (vectors.size === 0) return 'missing'
    const cosines = ids.map((id) => {
      const vector = vectors.get(id)
      return vector && cosine(found.vector, vector)
    })
    const scores = hits.map(({ score }) => score)
    return sortBy(hits, blend(scores, cosines, embedder.weight))
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
