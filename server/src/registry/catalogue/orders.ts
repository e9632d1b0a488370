import { type Column, createIntegers } from '../columns/column.ts'
import type { SkillColumns } from '../columns/columns.ts'
import type { Ids } from '../columns/ids.ts'
import { createSortedList, type SortedList } from '../columns/sorted-list.ts'
import { stableSortBy } from '../columns/stable-sort.ts'

/** Some skills in the orders that a skill's own numbers make. */
export interface Lists {
  /** By the skill's own stars, most first, then by id. */
  readonly byStars: SortedList
  /** By the skill's own fetches, most first, then by id. */
  readonly byFetches: SortedList
  /** By the last change, latest first, then by id. */
  readonly byUpdate: SortedList
}

/** The skills in order: near-copies apart, since they follow after all others. */
export interface Orders {
  readonly originals: Lists
  readonly copies: Lists
  /** By number of a repository: how many of its skills are near-copies. */
  readonly copiesIn: Column
  /** Whether they are kept; until they are sorted once, nothing is. */
  readonly isSorted: boolean
  add(slot: number, isCopy: boolean): void
  /** Takes a slot out of where it was added; its numbers may have changed. */
  remove(slot: number, isCopy: boolean): void
  /** Sorts these slots, which are all. A million take about a second. */
  sort(slots: Uint32Array, isCopy: (slot: number) => boolean): void
  /** Takes slots in that are in order. */
  fill(originals: SortedSlots, copies: SortedSlots): void
}

const names = ['byStars', 'byFetches', 'byUpdate'] as const

type SortedSlots = Record<keyof Lists, Uint32Array>

export function createOrders(columns: SkillColumns, ids: Ids): Orders {
  const { starCount, fetchCount, updatedAt, repository } = columns
  const byMost = (column: Column) =>
    createSortedList((a, b) => column.get(b) - column.get(a) || ids.compare(a, b))
  const createLists = (): Lists => ({
    byStars: byMost(starCount),
    byFetches: byMost(fetchCount),
    byUpdate: byMost(updatedAt),
  })
  const [originals, copies] = [createLists(), createLists()]
  const copiesIn = createIntegers()
  let isSorted = false
  const countCopy = (slot: number, change: number) => {
    const number = repository.get(slot)
    copiesIn.set(number, copiesIn.get(number) + change)
  }
  const fill: Orders['fill'] = (ofOriginals, ofCopies) => {
    for (const name of names) {
      originals[name].fill(ofOriginals[name])
      copies[name].fill(ofCopies[name])
    }
    for (const slot of ofCopies.byStars) countCopy(slot, 1)
    isSorted = true
  }
  return {
    originals,
    copies,
    copiesIn,
    get isSorted() {
      return isSorted
    },
    add(slot, isCopy) {
      if (!isSorted) return
      const lists = isCopy ? copies : originals
      for (const name of names) lists[name].add(slot)
      if (isCopy) countCopy(slot, 1)
    },
    remove(slot, isCopy) {
      if (!isSorted) return
      const lists = isCopy ? copies : originals
      for (const name of names) lists[name].remove(slot)
      if (isCopy) countCopy(slot, -1)
    },
    sort(slots, isCopy) {
      let byId = slots
      for (const at of [3, 2, 1, 0]) byId = stableSortBy(byId, (slot) => ids.word(slot, at))
      const age = (slot: number) => latest - updatedAt.get(slot)
      const byRest = stableSortBy(byId, (slot) => age(slot) % span)
      const sorted: SortedSlots = {
        byStars: stableSortBy(byId, (slot) => most - starCount.get(slot)),
        byFetches: stableSortBy(byId, (slot) => most - fetchCount.get(slot)),
        byUpdate: stableSortBy(byRest, (slot) => Math.floor(age(slot) / span)),
      }
      const those = (accepts: (slot: number) => boolean): SortedSlots => ({
        byStars: sorted.byStars.filter(accepts),
        byFetches: sorted.byFetches.filter(accepts),
        byUpdate: sorted.byUpdate.filter(accepts),
      })
      fill(
        those((slot) => !isCopy(slot)),
        those(isCopy),
      )
    },
    fill,
  }
}

/** The greatest count of a column. */
const most = 2 ** 31 - 1
/** Later than any time, in ms, and a part of it: both halves of an age fit into 32 bits. */
const latest = Number.MAX_SAFE_INTEGER
const span = 2 ** 31
