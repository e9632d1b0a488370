import type { SkillColumns } from './columns.ts'
import type { Ids } from './ids.ts'
import { createSortedList, type SortedList } from './sorted-list.ts'
import { stableSortBy } from './stable-sort.ts'

/** The skills in the orders that a skill's own numbers make. */
export interface Orders {
  /** By the skill's own stars, most first, then by id. */
  readonly byStars: SortedList
  /** By the last change, latest first, then by id. */
  readonly byUpdate: SortedList
  /** Whether they are kept; until they are sorted once, nothing is. */
  readonly isSorted: boolean
  add(slot: number): void
  /** Takes a slot out; its numbers may have changed. */
  remove(slot: number): void
  /** Sorts these slots, which are all. A million take about a second. */
  sort(slots: Uint32Array): void
  /** Takes slots in that are in order. */
  fill(sorted: { byStars: Uint32Array; byUpdate: Uint32Array }): void
}

export function createOrders({ starCount, updatedAt }: SkillColumns, ids: Ids): Orders {
  const byStars = createSortedList(
    (a, b) => starCount.get(b) - starCount.get(a) || ids.compare(a, b),
  )
  const byUpdate = createSortedList(
    (a, b) => updatedAt.get(b) - updatedAt.get(a) || ids.compare(a, b),
  )
  let isSorted = false
  const fill: Orders['fill'] = (sorted) => {
    byStars.fill(sorted.byStars)
    byUpdate.fill(sorted.byUpdate)
    isSorted = true
  }
  return {
    byStars,
    byUpdate,
    get isSorted() {
      return isSorted
    },
    add(slot) {
      if (!isSorted) return
      byStars.add(slot)
      byUpdate.add(slot)
    },
    remove(slot) {
      if (!isSorted) return
      byStars.remove(slot)
      byUpdate.remove(slot)
    },
    sort(slots) {
      let byId = slots
      for (const at of [3, 2, 1, 0]) byId = stableSortBy(byId, (slot) => ids.word(slot, at))
      const age = (slot: number) => latest - updatedAt.get(slot)
      const byRest = stableSortBy(byId, (slot) => age(slot) % span)
      fill({
        byStars: stableSortBy(byId, (slot) => most - starCount.get(slot)),
        byUpdate: stableSortBy(byRest, (slot) => Math.floor(age(slot) / span)),
      })
    },
    fill,
  }
}

/** The greatest count of a column. */
const most = 2 ** 31 - 1
/** Later than any time, in ms, and a part of it: both halves of an age fit into 32 bits. */
const latest = Number.MAX_SAFE_INTEGER
const span = 2 ** 31
