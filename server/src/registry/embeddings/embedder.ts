import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../context/context.ts'
import type { Trace } from '../../tracing/trace.ts'
import { createCircuit } from './circuit.ts'
import { type Embedded, type EmbeddingService, requestEmbeddings, type Space } from './client.ts'
import { clip } from './skill-text.ts'

interface ReadyVector {
  readonly outcome: 'ready'
  readonly space: string
  readonly vector: Int8Array
}

/** A task's vector, or why there is none. */
export type TaskVector = ReadyVector | { readonly outcome: 'late' | 'failed' | 'paused' | 'busy' }

/** Makes vectors of tasks and skills by the service that the operator named. */
export interface Embedder {
  /** How much meaning counts beside the ranking score. */
  readonly weight: number
  /** Longest that resolve waits for meaning, ms. */
  readonly patience: number
  /** Space of the last answer; nothing before the first. */
  readonly space: Space | undefined
  /** Vectors of texts. Throws when the service fails. */
  embed(texts: readonly string[], signal: AbortSignal, trace?: Trace | null): Promise<Embedded>
  /** A task's vector, if it comes before the signal. Does not throw. */
  ofTask(task: string, signal: AbortSignal, trace: Trace | null): Promise<TaskVector>
}

/** Tasks whose vectors are remembered; by a hash, so that no task stays in memory. */
const remembered = 1000

/** Tasks that are asked for at the same time; more of them go without. */
const mostAtOnce = 16

/** A service that fails this often in a row is left alone for a while. */
const circuitOptions = { tolerated: 3, first: 5000, longest: 60_000 }

/** The embedder of a configuration; nothing where none is named. */
export function createEmbedder(
  config: Config,
  ctx: Pick<Context, 'clock' | 'log' | 'random' | 'tracing'>,
): Embedder | undefined {
  if (!config.embeddings) return undefined
  const service: EmbeddingService = config.embeddings
  const tasks = new LRUCache<string, ReadyVector>({ max: remembered })
  const asked = new Map<string, Promise<TaskVector>>()
  const circuit = createCircuit(ctx, circuitOptions)
  let space: Space | undefined

  const embed: Embedder['embed'] = async (texts, signal, trace = null) => {
    const embedded = await ctx.tracing.call(
      { method: 'POST', url: service.url, trace },
      (headers) => requestEmbeddings(service, texts, signal, headers),
      () => 200,
    )
    space = embedded.space
    return embedded
  }

  const ask = async (
    key: string,
    task: string,
    signal: AbortSignal,
    trace: Trace | null,
  ): Promise<TaskVector> => {
    try {
      const { space, vectors } = await embed([clip(task)], signal, trace)
      const [vector = new Int8Array()] = vectors
      const found = { outcome: 'ready', space: space.key, vector } as const
      tasks.set(key, found)
      circuit.succeeded()
      return found
    } catch (error) {
      if (circuit.failed()) {
        ctx.log.warn({ err: error }, 'no vectors for tasks: resolve goes on without for a while')
      }
      return { outcome: signal.aborted ? 'late' : 'failed' }
    } finally {
      asked.delete(key)
    }
  }

  return {
    weight: config.embeddings.weight,
    patience: config.embeddings.patience,
    get space() {
      return space
    },
    embed,
    async ofTask(task, signal, trace) {
      const key = createHash('sha256').update(task).digest('base64')
      const known = tasks.get(key)
      // the service may have changed its model since
      if (known && known.space === space?.key) return known
      const coming = asked.get(key)
      if (coming) return coming
      if (asked.size >= mostAtOnce) return { outcome: 'busy' }
      if (!circuit.mayTry()) return { outcome: 'paused' }
      const answer = ask(key, task, signal, trace)
      asked.set(key, answer)
      return answer
    },
  }
}
