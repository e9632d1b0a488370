import type { SkillIndex } from '../../search/index.ts'
import { capScores } from './cap-scores.ts'
import { createFilter, type SkillFilter } from './filter.ts'
import { createPages, type SkillOrder } from './pages.ts'
import type { CatalogueState } from './state.ts'

/** What is looked for. */
export interface Wanted {
  readonly q?: string | undefined
  readonly filter?: SkillFilter | undefined
  /** By relevance only with `q`. */
  readonly order: SkillOrder | 'relevance'
}

/** Slots of a page, and how many are found in all. */
export interface Found {
  readonly slots: readonly number[]
  readonly total: number
}

/** Finds the page from rank `start` up to, not including, `end`; every slot is below `bound`. */
export type Finder = (wanted: Wanted, start: number, end: number, bound: number) => Found

export function createFinder(state: CatalogueState, index: SkillIndex): Finder {
  const applyFilter = createFilter(state)
  const pages = createPages(state)
  const { originals, copies } = state.orders

  return ({ q, filter, order }, start, end, bound) => {
    const passing = filter && applyFilter(filter, bound)
    if (q === undefined) {
      const byNumber = order === 'relevance' ? 'stars' : order
      if (passing) return pageOf(passing.slots, byNumber)
      return {
        slots: pages.ofAll(byNumber, start, end),
        total: originals.byStars.size + copies.byStars.size,
      }
    }
    const all = index.search(q)
    if (order === 'relevance') capScores(state.copies, all)
    const matches = passing ? passing.among(all) : all
    if (order !== 'relevance') return pageOf(matches.slots, order)
    return { slots: pages.ofMatches(matches, start, end), total: matches.slots.length }

    function pageOf(slots: Uint32Array, order: SkillOrder): Found {
      return { slots: pages.of(slots, order, start, end), total: slots.length }
    }
  }
}
