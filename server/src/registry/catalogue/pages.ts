import type { SearchMatches } from '../../search/index.ts'
import type { SortedList } from '../columns/sorted-list.ts'
import { repositoryGroup } from './filter.ts'
import { keep } from './keep.ts'
import type { Lists } from './orders.ts'
import { type Ranking, selectByKeys, selectPage, type WriteKeys } from './select.ts'
import type { Holdings } from './state.ts'

/**
 * Stars are the repository's; ties break by them, then by the skill's own, then by id. Near-copies
 * follow after all others, in the same order.
 */
export type SkillOrder = 'stars' | 'downloads' | 'recent' | 'trending'

/** Cuts pages out of the orders: the slots of the ranks from `start` up to, not including, `end`. */
export interface Pages {
  /** Of every skill. */
  ofAll(order: SkillOrder, start: number, end: number): number[]
  /** Of some skills. */
  of(slots: Uint32Array, order: SkillOrder, start: number, end: number): number[]
  /** Of matches, best first; of equals originals first, then by stars. */
  ofMatches(matches: SearchMatches, start: number, end: number): number[]
}

/** A part of all skills small enough to look at each of it rather than at each of all. */
const smallShare = 1 / 8

/** Ranks up to which going through the skills takes no time. */
const near = 500

/** Orders by an integer from -2^31 up to 2^31 - 1. */
const greatestFirst =
  (number: (slot: number) => number): WriteKeys =>
  (slots, keys) => {
    for (let i = 0; i < slots.length; i++) keys[i] = number(slots[i] as number)
  }

/** A time in ms in two integers: whole spans, and the rest less half a span. */
const span = 2 ** 32

export function createPages(holdings: Holdings): Pages {
  const { columns, copies, memberships, orders, repositories } = holdings
  const { starCount, updatedAt, repository } = columns
  /** By the skills' own stars, then by id. */
  const withinStars: Ranking = [
    greatestFirst((slot) => -listsOf(copies.isCopy(slot)).byStars.place(slot)),
  ]
  const originalsFirst = greatestFirst((slot) => (copies.isCopy(slot) ? 0 : 1))
  const byStars: Ranking = [
    greatestFirst((slot) => repositories.starCount(repository.get(slot))),
    ...withinStars,
  ]
  const byUpdate: Ranking = [
    greatestFirst((slot) => Math.floor(updatedAt.get(slot) / span)),
    greatestFirst((slot) => (updatedAt.get(slot) >>> 0) - span / 2),
    ...byStars,
  ]
  const rankings: Record<SkillOrder, Ranking> = {
    stars: byStars,
    downloads: [
      greatestFirst((slot) => repositories.downloadCount(repository.get(slot))),
      ...byStars,
    ],
    recent: byUpdate,
    trending: [greatestFirst(starCount.get), ...byStars],
  }
  /** By number of the repository: whether it is among those looked at. */
  const marked: boolean[] = []

  return {
    ofAll(order, start, end) {
      const first = orders.originals.byStars.size
      const page = ofSome(false, order, start, end)
      if (end <= first || copies.count === 0) return page
      return page.concat(ofSome(true, order, Math.max(0, start - first), end - first))
    },
    of: (slots, order, start, end) =>
      selectPage(slots, start, end, withCopiesLast(rankings[order])),
    ofMatches: ({ slots, scores }, start, end) =>
      selectByKeys(slots, scores, start, end, withCopiesLast(byStars)),
  }

  function withCopiesLast(ranking: Ranking): Ranking {
    return copies.count === 0 ? ranking : [originalsFirst, ...ranking]
  }

  function listsOf(areCopies: boolean): Lists {
    return areCopies ? orders.copies : orders.originals
  }

  /** A page of the originals alone, or of the copies. */
  function ofSome(areCopies: boolean, order: SkillOrder, start: number, end: number): number[] {
    const lists = listsOf(areCopies)
    const last = Math.min(end, lists.byStars.size)
    if (start >= last) return []
    const kind = { areCopies, lists, sizeOf: areCopies ? orders.copiesIn.get : originalsIn }
    const starred: Walk = { ...kind, list: repositories.byStars, areEqual: isAsStarred }
    if (order === 'stars') return byRepository(starred, start, last)
    if (order === 'downloads') {
      const areEqual = isAsDownloaded
      return byRepository({ ...kind, list: repositories.byDownloads, areEqual }, start, last)
    }
    return order === 'recent'
      ? withTies(lists.byUpdate, starred, updatedAt.get, start, last)
      : withTies(lists.byStars, starred, starCount.get, start, last)
  }

  function originalsIn(number: number): number {
    return repositories.skillCount(number) - orders.copiesIn.get(number)
  }

  function isAsStarred(a: number, b: number): boolean {
    return repositories.starCount(a) === repositories.starCount(b)
  }

  function isAsDownloaded(a: number, b: number): boolean {
    return isAsStarred(a, b) && repositories.downloadCount(a) === repositories.downloadCount(b)
  }

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

  /** A page of the skills of some repositories, by their own stars. */
  function ofRepositories(
    numbers: readonly number[],
    { accepts, areCopies, lists }: Walk,
    start: number,
    end: number,
  ): Iterable<number> {
    const all = lists.byStars.size
    const size = numbers.reduce(
      (sum, number) => sum + (areCopies ? orders.copiesIn.get(number) : originalsIn(number)),
      0,
    )
    if (size === all && !accepts) return lists.byStars.slice(start, end)
    if (size < all * smallShare) {
      const held = numbers.reduce((sum, number) => sum + repositories.skillCount(number), 0)
      const slots = new Uint32Array(held)
      let at = 0
      for (const number of numbers) at = memberships.collect(repositoryGroup(number), slots, at)
      const own =
        copies.count === 0 ? slots : keep(slots, (slot) => copies.isCopy(slot) === areCopies)
      return selectPage(accepts ? keep(own, accepts) : own, start, end, withinStars)
    }
    for (const number of numbers) marked[number] = true
    const isMarked = (slot: number) => marked[repository.get(slot)] === true
    const passes = accepts ? (slot: number) => accepts(slot) && isMarked(slot) : isMarked
    const counts = accepts || end <= near ? undefined : countMarked(size, areCopies)
    const page = pick(lists.byStars, passes, start, end, counts)
    for (const number of numbers) marked[number] = false
    return page
  }

  /** How many skills of marked repositories, `size` in all, lie in each chunk of `byStars`. */
  function countMarked(size: number, areCopies: boolean): (chunk: number, all: number) => number {
    const { byStars } = listsOf(areCopies)
    const isMost = size > byStars.size / 2
    const counts = new Uint32Array([...byStars.chunks()].length)
    let slots = new Uint32Array(0)
    for (let number = 0; number < repositories.all().length; number++) {
      // Of most skills, the others are counted.
      if ((marked[number] === true) === isMost) continue
      const count = repositories.skillCount(number)
      if (slots.length < count) slots = new Uint32Array(count)
      memberships.collect(repositoryGroup(number), slots, 0)
      for (let at = 0; at < count; at++) {
        const slot = slots[at] as number
        if (copies.isCopy(slot) !== areCopies) continue
        const chunk = byStars.chunkOf(slot)
        counts[chunk] = (counts[chunk] as number) + 1
      }
    }
    return (chunk, all) => (isMost ? all - (counts[chunk] ?? 0) : (counts[chunk] ?? 0))
  }

  /** A page by going through all skills; what lies before it is passed by where `counts` knows it. */
  function pick(
    byStars: SortedList,
    accepts: (slot: number) => boolean,
    start: number,
    end: number,
    counts?: (chunk: number, all: number) => number,
  ): number[] {
    const page: number[] = []
    let rank = 0
    for (const { items, count } of byStars.chunks()) {
      const accepted = counts?.(byStars.chunkOf(items[0] as number), count) ?? 0
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

  /** A page of a list in which those with the same number stand by id, where they should by stars. */
  function withTies(
    list: SortedList,
    starred: Walk,
    number: (slot: number) => number,
    start: number,
    end: number,
  ): number[] {
    const page: number[] = []
    for (let at = start; at < end; ) {
      const [slot = 0] = list.slice(at, at + 1)
      const value = number(slot)
      const from = list.rank((other) => number(other) > value)
      const to = list.rank((other) => number(other) >= value)
      const last = Math.min(end, to) - from
      if (to - from === 1) page.push(slot)
      else if (to - from < list.size * smallShare) {
        page.push(...selectPage(list.slice(from, to), at - from, last, byStars))
      } else {
        page.push(...byRepository(equalsOf(list, starred, number, from, to), at - from, last))
      }
      at = to
    }
    return page
  }

  /** The skills of the ranks from `from` up to `to`, which all have the same number. */
  function equalsOf(
    list: SortedList,
    starred: Walk,
    number: (slot: number) => number,
    from: number,
    to: number,
  ): Walk {
    if (to - from === list.size) return starred
    const [first = 0] = list.slice(from, from + 1)
    const value = number(first)
    const others = new Map<number, number>()
    for (const rest of [list.slice(0, from), list.slice(to, list.size)]) {
      for (const slot of rest) {
        const its = repository.get(slot)
        others.set(its, (others.get(its) ?? 0) + 1)
      }
    }
    return {
      ...starred,
      sizeOf: (its) => starred.sizeOf(its) - (others.get(its) ?? 0),
      accepts: (slot) => number(slot) === value,
    }
  }
}

/** Repositories to go through, and which of their skills count. */
interface Walk {
  readonly list: SortedList
  /** Whether it goes through the near-copies, and the orders of those that it goes through. */
  readonly areCopies: boolean
  readonly lists: Lists
  /** Whether the skills of two repositories stand among each other. */
  areEqual(a: number, b: number): boolean
  /** How many skills of a repository count. */
  sizeOf(number: number): number
  /** Which they are; all when left out. */
  readonly accepts?: (slot: number) => boolean
}
