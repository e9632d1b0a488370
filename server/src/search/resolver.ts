import { answer, type ResolveResult } from './query/answer.ts'
import type { Query, QueryParser } from './query/parse.ts'
import { createQueryCache } from './query/query-cache.ts'
import type { ResolveOptions } from './query/rank.ts'
import type { Ranking } from './query/ranked.ts'
import { readRanked } from './threads/rank-messages.ts'
import type { RankPool } from './threads/rank-pool.ts'

/** Answers tasks by rankings from the query cache, this thread or another. */
export interface Resolver {
  resolve(task: string, options: ResolveOptions): ResolveResult
  /**
   * Resolves as `resolve` does; other threads rank where there are any and `mayAside`. Throws the
   * reason of an aborted signal instead of ranking.
   */
  resolveAside(task: string, options: ResolveOptions, mayAside: boolean): Promise<ResolveResult>
  /** Must be called before any document changes, comes, goes or moves. */
  forget(): void
}

export function createResolver(
  parser: QueryParser,
  rankQuery: (query: Query, options: ResolveOptions) => Ranking,
  threads: RankPool,
): Resolver {
  const rank = (task: string, options: ResolveOptions) => rankQuery(parser.readTask(task), options)
  const rankings = createQueryCache(rank)
  /** How often documents have changed. */
  let changes = 0
  return { resolve, resolveAside, forget }

  function resolve(task: string, options: ResolveOptions): ResolveResult {
    return recall(task, options) ?? resolveHere(task, options)
  }

  async function resolveAside(
    task: string,
    options: ResolveOptions,
    mayAside: boolean,
  ): Promise<ResolveResult> {
    const known = recall(task, options)
    if (known) return known
    if (mayAside && !options.onEvidence) {
      const answered = await answerAside(task, options)
      if (answered) return answered
    }
    options.signal?.throwIfAborted()
    const begun = performance.now()
    const resolution = resolveHere(task, options)
    threads.spent(performance.now() - begun)
    return resolution
  }

  /** The answer to a task whose ranking is cached. */
  function recall(task: string, options: ResolveOptions): ResolveResult | undefined {
    const ranked = rankings.find(task, options)
    if (ranked) options.onRanked?.('memory')
    return ranked && answer(ranked, options)
  }

  function resolveHere(task: string, options: ResolveOptions): ResolveResult {
    const ranked = rank(task, options)
    options.onRanked?.('main')
    return present(task, options, ranked)
  }

  /** The answer by a ranking that another thread makes; nothing where this one has to. */
  async function answerAside(
    task: string,
    options: ResolveOptions,
  ): Promise<ResolveResult | undefined> {
    const thread = await threads.next(options.signal)
    if (!thread) return undefined
    const begun = changes
    const query = parser.readTask(task)
    const row = await thread.rank(query, options)
    // a ranking of former documents is void; from here on nothing comes between
    if (!row || changes !== begun) return undefined
    const ranked = readRanked(row, query, options, () => rank(task, options))
    // the thread orders equals by slot
    if (ranked.hangsOnOrder && options.order) return undefined
    options.onRanked?.('thread')
    return present(task, options, ranked)
  }

  function present(task: string, options: ResolveOptions, ranked: Ranking): ResolveResult {
    rankings.add(task, options, ranked)
    return answer(ranked, options)
  }

  function forget(): void {
    changes++
    rankings.forget()
    threads.forget()
  }
}
