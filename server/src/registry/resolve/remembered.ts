import { LRUCache } from 'lru-cache'
import { createAskedLately } from '../../asked-lately.ts'
import { ASKED_LATELY, REMEMBERED_BYTES, REMEMBERED_TASKS } from './constants.ts'
import type { Ranked, ResolveOptions, Standing } from './rank.ts'

/** Ranks tasks by words, and remembers the rankings of those asked twice until the index changes. */
export interface RememberedRankings {
  rank(task: string, options: ResolveOptions): Ranked
  /** To be called before anything in the index changes, and before a segment takes another's place. */
  forget(): void
}

/** A ranking, and the order of equals it was made with. */
interface Remembered {
  ranked: Ranked
  order: ResolveOptions['order']
}

type Rank = RememberedRankings['rank']

/**
 * Fleets of agents ask the same again and again: `rank` is asked only what is not remembered, and that
 * is what was asked twice. What nobody asks again would make garbage collections twice as long.
 */
export function createRememberedRankings(rank: Rank): RememberedRankings {
  const rankings = new LRUCache<string, Remembered>({
    max: REMEMBERED_TASKS,
    maxSize: REMEMBERED_BYTES,
  })
  const wasAsked = createAskedLately(ASKED_LATELY)
  return { rank: recall, forget }

  function forget(): void {
    // clearing takes long even when there is nothing, and a load changes the index all the time
    if (rankings.size > 0) rankings.clear()
  }

  function recall(task: string, options: ResolveOptions): Ranked {
    const { limit, threshold, order, onEvidence } = options
    // whoever fits on evidence wants to be told of it
    if (onEvidence) return rank(task, options)
    const key = `${limit} ${threshold} ${task}`
    const known = rankings.get(key)
    if (known !== undefined && known.order === order) return known.ranked
    const fresh = rank(task, options)
    if (!wasAsked(key)) return fresh
    const ranked = compact(fresh, () => rank(task, options))
    rankings.set(key, { ranked, order }, { size: 2 * key.length + sizeOf(fresh, limit) })
    return fresh
  }
}

/**
 * A ranking without the documents it came from. It shares the backgrounds that are asked of the other
 * while that is answered; those of hits that only votes or trust bring up later are ranked `again`.
 */
function compact(fresh: Ranked, again: () => Ranked): Ranked {
  const { query, matching, backgrounds } = fresh
  const standing = fresh.standing.map(bare)
  return {
    query: { ...query, pairs: [] },
    standing,
    counted: fresh.counted === fresh.standing ? standing : fresh.counted.map(bare),
    matching,
    backgrounds,
    backgroundOf(slot) {
      const known = backgrounds.get(slot) ?? again().backgroundOf(slot)
      backgrounds.set(slot, known)
      return known
    },
  }
}

const bare = ({ slot, score, confidence }: Standing): Standing => ({ slot, score, confidence })

/** About what a compact ranking takes of memory, with the backgrounds of `limit` hits. */
function sizeOf({ query, standing, counted }: Ranked, limit: number): number {
  const terms = query.terms.length
  const standings = standing.length + (counted === standing ? 0 : counted.length)
  const hits = Math.min(limit, standing.length)
  return 1000 + 350 * terms + 80 * standings + hits * (300 + 2 * terms)
}
