import type { SortedList } from '../columns/sorted-list.ts'
import { repositoryGroup } from './filter.ts'
import type { Lists } from './orders.ts'
import { keep, type SortKeys, selectPage } from './select.ts'
import type { CatalogueState } from './state.ts'

/** A part of all skills small enough to look at each of it rather than at each of all. */
export const smallShare = 1 / 8

/** Ranks up to which going through the skills takes no time. */
const near = 500

/** What orders the skills of repositories among which there is no order. */
export type Within = 'byStars' | 'byFetches'

/** Repositories to go through, and which of their skills count. */
export interface Walk {
  readonly list: SortedList
  /** Whether it goes through the near-copies, and the orders of those that it goes through. */
  readonly areCopies: boolean
  readonly lists: Lists
  /** By which of their own numbers skills of repositories that are equal stand, then by id. */
  readonly within: Within
  /** Whether the skills of two repositories stand among each other. */
  areEqual(a: number, b: number): boolean
  /** How many skills of a repository count. */
  sizeOf(number: number): number
  /** Which they are; all when left out. */
  readonly accepts?: (slot: number) => boolean
}

/** Cuts pages out of orders that go by repositories first; `keys` has those of each list. */
export function createRepositoryPages(
  state: CatalogueState,
  keys: Readonly<Record<Within, SortKeys>>,
) {
  const { columns, copies, postings, orders, repositories } = state
  const { repository } = columns
  /** By number of the repository: whether it is among those looked at. */
  const marked: boolean[] = []

  const skillsIn = (number: number, areCopies: boolean) =>
    areCopies
      ? orders.copiesIn.get(number)
      : repositories.skillCount(number) - orders.copiesIn.get(number)

  return { byRepository, skillsIn }

  /** A page of an order that goes by repositories first: whole ones before it are only counted. */
  function byRepository(walk: Walk, start: number, end: number): number[] {
    const page: number[] = []
    let equals: number[] = []
    let [before, size] = [0, 0]
    const close = () => {
      if (before + size > start && before < end) {
        page.push(...ofRepositories(equals, walk, Math.max(0, start - before), end - before))
      }
      before += size
      size = 0
      equals = []
    }
    for (const { items, count } of walk.list.chunks()) {
      for (let i = 0; i < count; i++) {
        const number = items[i] as number
        const [former] = equals
        if (former !== undefined && !walk.areEqual(former, number)) close()
        if (before >= end) return page
        equals.push(number)
        size += walk.sizeOf(number)
      }
    }
    close()
    return page
  }

  /** A page of the skills of some repositories, by their own numbers. */
  function ofRepositories(
    numbers: readonly number[],
    { accepts, areCopies, lists, within }: Walk,
    start: number,
    end: number,
  ): Iterable<number> {
    const list = lists[within]
    const all = list.size
    const size = numbers.reduce((sum, number) => sum + skillsIn(number, areCopies), 0)
    if (size === all && !accepts) return list.slice(start, end)
    if (size < all * smallShare) {
      const held = numbers.reduce((sum, number) => sum + repositories.skillCount(number), 0)
      const slots = new Uint32Array(held)
      let at = 0
      for (const number of numbers) at = postings.collect(repositoryGroup(number), slots, at)
      const own =
        copies.count === 0 ? slots : keep(slots, (slot) => copies.isCopy(slot) === areCopies)
      return selectPage(accepts ? keep(own, accepts) : own, start, end, keys[within])
    }
    for (const number of numbers) marked[number] = true
    const isMarked = (slot: number) => marked[repository.get(slot)] === true
    const passes = accepts ? (slot: number) => accepts(slot) && isMarked(slot) : isMarked
    const counts = accepts || end <= near ? undefined : countMarked(list, size, areCopies)
    const page = pick(list, passes, start, end, counts)
    for (const number of numbers) marked[number] = false
    return page
  }

  /** How many skills of marked repositories, `size` in all, lie in each chunk of a list. */
  function countMarked(
    list: SortedList,
    size: number,
    areCopies: boolean,
  ): (chunk: number, all: number) => number {
    const isMost = size > list.size / 2
    const counts = new Uint32Array([...list.chunks()].length)
    let slots = new Uint32Array(0)
    for (let number = 0; number < repositories.all().length; number++) {
      // Where most skills match, those that do not are counted.
      if ((marked[number] === true) === isMost) continue
      const count = repositories.skillCount(number)
      if (slots.length < count) slots = new Uint32Array(count)
      postings.collect(repositoryGroup(number), slots, 0)
      for (let at = 0; at < count; at++) {
        const slot = slots[at] as number
        if (copies.isCopy(slot) !== areCopies) continue
        const chunk = list.chunkOf(slot)
        counts[chunk] = (counts[chunk] as number) + 1
      }
    }
    return (chunk, all) => (isMost ? all - (counts[chunk] ?? 0) : (counts[chunk] ?? 0))
  }

  /** A page by going through all skills; what lies before it is passed by where `counts` knows it. */
  function pick(
    list: SortedList,
    accepts: (slot: number) => boolean,
    start: number,
    end: number,
    counts?: (chunk: number, all: number) => number,
  ): number[] {
    const page: number[] = []
    let rank = 0
    for (const { items, count } of list.chunks()) {
      const accepted = counts?.(list.chunkOf(items[0] as number), count) ?? 0
      if (counts && rank + accepted <= start) {
        rank += accepted
        continue
      }
      for (let i = 0; i < count; i++) {
        const slot = items[i] as number
        if (!accepts(slot)) continue
        if (rank >= start) page.push(slot)
        if (++rank >= end) return page
      }
    }
    return page
  }
}
