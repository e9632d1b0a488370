import type { Verdict } from '../moderation/lint/types.ts'
import type { SearchMatches, SkillIndex } from '../search/index.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'
import type { Copies } from '../trust/copies/copies.ts'
import type { Groups, SkillCriteria } from './groups.ts'
import { isAtMost } from './held.ts'
import type { Orders, SkillOrder } from './orders.ts'

export interface SkillFilter extends SkillCriteria {
  /** The gravest verdict. */
  readonly verdict?: Verdict | undefined
}

/** What is looked for. */
export interface Wanted {
  readonly q?: string | undefined
  readonly filter?: SkillFilter | undefined
  /** By relevance only with `q`. */
  readonly order: SkillOrder | 'relevance'
}

/** Slots of a page, and how many are found in all. */
interface Found {
  readonly slots: readonly number[]
  readonly total: number
}

interface Searched {
  readonly records: readonly (SkillRecord | undefined)[]
  readonly groups: Groups
  readonly orders: Orders
  readonly copies: Copies
  readonly index: SkillIndex
}

type Accepts = (slot: number) => boolean

/** Finds the page of ranks from `start` up to, not including, `end`. */
export function createFinder({ records, groups, orders, copies, index }: Searched) {
  /** By slot: the place in the order by stars. */
  let places = placesIn(orders.stars.list())

  return function find({ q, filter, order }: Wanted, start: number, end: number): Found {
    const accepts = filter && acceptsOf(filter)
    if (q === undefined) {
      const list = orders[order === 'relevance' ? 'stars' : order].list()
      if (accepts) return pageOf(list, accepts, start, end)
      return { slots: [...list.subarray(start, end)], total: list.length }
    }
    const matches = index.search(q)
    if (order === 'relevance') return byRelevance(matches, accepts, start, end)
    const matching = new Uint8Array(records.length)
    for (const slot of matches.slots) matching[slot] = 1
    const both = (slot: number) => matching[slot] === 1 && (!accepts || accepts(slot))
    return pageOf(orders[order].list(), both, start, end)
  }

  function acceptsOf({ verdict, ...criteria }: SkillFilter): Accepts {
    const meets = groups.meeting(criteria, records.length)
    return verdict
      ? (slot) => meets(slot) && isAtMost(records[slot] as SkillRecord, verdict)
      : meets
  }

  /** Best first; among equals by stars. A near-copy counts no more than an original that matches too. */
  function byRelevance(
    { slots, scores }: SearchMatches,
    accepts: Accepts | undefined,
    start: number,
    end: number,
  ): Found {
    const list = orders.stars.list()
    if (list !== places.list) places = placesIn(list)
    if (copies.count > 0) lowerCopies(slots, scores)
    // One number for a match, which native sorting orders: its score, then how near it is to the top by stars.
    const keys = new Float64Array(slots.length)
    let total = 0
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as number
      if (accepts && !accepts(slot)) continue
      keys[total++] = (scores[i] as number) * MOST_SKILLS - (places.of[slot] as number)
    }
    const ascending = keys.subarray(0, total).sort()
    const page: number[] = []
    for (let rank = start; rank < Math.min(end, total); rank++) {
      const key = ascending[total - 1 - rank] as number
      page.push(list[Math.ceil(key / MOST_SKILLS) * MOST_SKILLS - key] as number)
    }
    return { slots: page, total }
  }

  function placesIn(list: Uint32Array) {
    const of = new Uint32Array(records.length)
    for (let place = 0; place < list.length; place++) of[list[place] as number] = place
    return { list, of }
  }

  function lowerCopies(slots: Uint32Array, scores: Int32Array): void {
    /** Scores of copied skills that match. */
    const scoreOf = new Map<number, number>()
    for (const [i, slot] of slots.entries()) {
      if (copies.isCopied(slot)) scoreOf.set(slot, scores[i] as number)
    }
    if (scoreOf.size === 0) return
    for (const [i, slot] of slots.entries()) {
      for (const original of copies.originalsOf(slot)) {
        scores[i] = Math.min(scores[i] as number, scoreOf.get(original) ?? Number.POSITIVE_INFINITY)
      }
    }
  }
}

/** Scores are below 2^31, so that a score and a place make one exact number. */
const MOST_SKILLS = 2 ** 21

function pageOf(list: Uint32Array, accepts: Accepts, start: number, end: number): Found {
  const slots: number[] = []
  let total = 0
  for (let i = 0; i < list.length; i++) {
    const slot = list[i] as number
    if (!accepts(slot)) continue
    if (total >= start && total < end) slots.push(slot)
    total++
  }
  return { slots, total }
}
