import { LRUCache } from 'lru-cache'
import { createAskedLately } from '../../runtime/admission-filter.ts'
import { ASKED_LATELY, REMEMBERED_BYTES, REMEMBERED_TASKS } from '../constants/constants.ts'
import type { ResolveOptions } from './rank.ts'
import { type RankedHit, type Ranking, withBackgrounds } from './ranked.ts'

/** Rankings of tasks that were asked twice, until the index changes. */
export interface QueryCache {
  find(task: string, options: ResolveOptions): Ranking | undefined
  /** Takes in the ranking of a task that was not found. */
  add(task: string, options: ResolveOptions, ranked: Ranking): void
  /** To be called before anything in the index changes, and before a segment takes another's place. */
  forget(): void
}

/** A ranking, and the order of equals it was made with. */
interface CacheEntry {
  ranked: Ranking
  order: ResolveOptions['order']
}

/**
 * Fleets of agents ask the same again and again: a cached ranking takes 0.01 ms, a new one 0.33. Tasks that
 * nobody asks again are kept out: they make garbage collections twice as long. `rank` ranks a task anew.
 */
export function createQueryCache(
  rank: (task: string, options: ResolveOptions) => Ranking,
): QueryCache {
  const rankings = new LRUCache<string, CacheEntry>({
    max: REMEMBERED_TASKS,
    maxSize: REMEMBERED_BYTES,
  })
  const wasAsked = createAskedLately(ASKED_LATELY)
  return { find, add, forget }

  function forget(): void {
    // clearing takes long even when there is nothing, and a load changes the index all the time
    if (rankings.size > 0) rankings.clear()
  }

  function find(task: string, options: ResolveOptions): Ranking | undefined {
    const known = rankings.get(keyOf(task, options))
    // a cached ranking has no evidence to fit on
    return known?.order === options.order && !options.onEvidence ? known?.ranked : undefined
  }

  function add(task: string, options: ResolveOptions, fresh: Ranking): void {
    const key = keyOf(task, options)
    if (options.onEvidence || !wasAsked(key)) return
    const ranked = compact(fresh, () => rank(task, options))
    const size = 2 * key.length + sizeOf(fresh, options.limit)
    rankings.set(key, { ranked, order: options.order }, { size })
  }
}

const keyOf = (task: string, { limit, threshold }: ResolveOptions): string =>
  `${limit} ${threshold} ${task}`

/**
 * A ranking without the documents it came from. It shares the backgrounds that are asked of the other
 * while that is answered; those of hits that only votes or trust bring up later are ranked `again`.
 */
function compact(fresh: Ranking, again: () => Ranking): Ranking {
  return {
    ...fresh,
    query: { ...fresh.query, pairs: [] },
    standing: fresh.standing.map(bare),
    ...withBackgrounds(fresh.backgrounds, (slot) => again().backgroundOf(slot)),
  }
}

const bare = ({ slot, score, confidence }: RankedHit): RankedHit => ({ slot, score, confidence })

/** About the memory of a compact ranking with the backgrounds of `limit` hits, bytes. */
function sizeOf({ query, standing }: Ranking, limit: number): number {
  const terms = query.terms.length
  const hits = Math.min(limit, standing.length)
  return 1000 + 350 * terms + 80 * standing.length + hits * (300 + 2 * terms)
}
