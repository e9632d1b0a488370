import type { SkillIndex } from '../resolve/index.ts'
import { createFilter, type SkillFilter } from './filter.ts'
import type { Holdings } from './holdings.ts'
import { createPages, type SkillOrder } from './pages.ts'

/** What is looked for. */
export interface Wanted {
  readonly q?: string | undefined
  readonly filter?: SkillFilter | undefined
  /** By relevance only with `q`. */
  readonly order: SkillOrder | 'relevance'
}

/** Slots of a page, and how many are found in all. */
interface Found {
  slots: number[]
  total: number
}

/** Finds the page from rank `start` up to, not including, `end`; every slot is below `bound`. */
export type Finder = (wanted: Wanted, start: number, end: number, bound: number) => Found

export function createFinder(holdings: Holdings, index: SkillIndex): Finder {
  const applyFilter = createFilter(holdings)
  const pages = createPages(holdings)

  return ({ q, filter, order }, start, end, bound) => {
    const passing = filter && applyFilter(filter, bound)
    if (q === undefined) {
      const byNumber = order === 'relevance' ? 'stars' : order
      if (passing) return pageOf(passing.slots, byNumber)
      return { slots: pages.ofAll(byNumber, start, end), total: holdings.orders.byStars.size }
    }
    const matches = index.search(q)
    if (order === 'relevance') {
      const places = passing?.placesIn(matches.slots, matches.count) ?? allBelow(matches.count)
      return { slots: pages.ofMatches(matches, places, start, end), total: places.length }
    }
    const slots = matches.slots.subarray(0, matches.count)
    return pageOf(passing ? passing.among(slots) : slots, order)

    function pageOf(slots: Uint32Array, order: SkillOrder): Found {
      return { slots: pages.of(slots, order, start, end), total: slots.length }
    }
  }
}

function allBelow(count: number): Uint32Array {
  const integers = new Uint32Array(count)
  for (let i = 0; i < count; i++) integers[i] = i
  return integers
}
