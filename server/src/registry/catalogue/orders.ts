import { type Column, createIntegers } from '../columns/column.ts'
import type { SkillColumns } from '../columns/columns.ts'
import type { Ids } from '../columns/ids.ts'
import { createSortedList, type SortedList } from '../columns/sorted-list.ts'
import { stableSortBy } from '../columns/stable-sort.ts'

/** Some skills in the orders that a skill's own numbers make. */
export interface Lists {
  /** By the skill's own stars, most first, then by id. */
  readonly byStars: SortedList
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

interface SortedSlots {
  byStars: Uint32Array
  byUpdate: Uint32Array
}

export function createOrders({ starCount, updatedAt, repository }: SkillColumns, ids: Ids): Orders {
  const createLists = (): Lists => ({
    byStars: createSortedList((a, b) => starCount.get(b) - starCount.get(a) || ids.compare(a, b)),
    byUpdate: createSortedList((a, b) => updatedAt.get(b) - updatedAt.get(a) || ids.compare(a, b)),
  })
  const [originals, copies] = [createLists(), createLists()]
  const copiesIn = createIntegers()
  let isSorted = false
  const countCopy = (slot: number, change: number) => {
    const number = repository.get(slot)
    copiesIn.set(number, copiesIn.get(number) + change)
  }
  const fillLists = ({ byStars, byUpdate }: Lists, sorted: SortedSlots) => {
    byStars.fill(sorted.byStars)
    byUpdate.fill(sorted.byUpdate)
  }
  const fill: Orders['fill'] = (ofOriginals, ofCopies) => {
    fillLists(originals, ofOriginals)
    fillLists(copies, ofCopies)
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
      lists.byStars.add(slot)
      lists.byUpdate.add(slot)
      if (isCopy) countCopy(slot, 1)
    },
    remove(slot, isCopy) {
      if (!isSorted) return
      const lists = isCopy ? copies : originals
      lists.byStars.remove(slot)
      lists.byUpdate.remove(slot)
      if (isCopy) countCopy(slot, -1)
    },
    sort(slots, isCopy) {
      let byId = slots
      for (const at of [3, 2, 1, 0]) byId = stableSortBy(byId, (slot) => ids.word(slot, at))
      const age = (slot: number) => latest - updatedAt.get(slot)
      const byRest = stableSortBy(byId, (slot) => age(slot) % span)
      const byStars = stableSortBy(byId, (slot) => most - starCount.get(slot))
      const byUpdate = stableSortBy(byRest, (slot) => Math.floor(age(slot) / span))
      const isOriginal = (slot: number) => !isCopy(slot)
      fill(
        { byStars: byStars.filter(isOriginal), byUpdate: byUpdate.filter(isOriginal) },
        { byStars: byStars.filter(isCopy), byUpdate: byUpdate.filter(isCopy) },
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
