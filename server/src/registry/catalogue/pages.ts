import type { SearchMatches } from '../../search/index.ts'
import type { SortedList } from '../columns/sorted-list.ts'
import type { Lists } from './orders.ts'
import { createRepositoryPages, smallShare, type Walk, type Within } from './repository-pages.ts'
import { type SortKeys, selectByKeys, selectPage, type WriteKeys } from './select.ts'
import type { CatalogueState } from './state.ts'

/**
 * Stars are the repository's; ties break by them, then by the skill's own, then by id. Downloads are
 * the repository's too; ties break by the skill's own fetches, then by id. Near-copies follow after all
 * others, in the same order.
 */
export type SkillOrder = 'stars' | 'downloads' | 'recent' | 'trending'

/** Cuts pages out of the orders: the slots of the ranks from `start` up to, not including, `end`. */
export interface Pages {
  /** A page of every skill. */
  ofAll(order: SkillOrder, start: number, end: number): number[]
  /** A page of some skills. */
  of(slots: Uint32Array, order: SkillOrder, start: number, end: number): number[]
  /** A page of matches, best first; among equals originals first, then by stars. */
  ofMatches(matches: SearchMatches, start: number, end: number): number[]
}

/** Orders by an integer from -2^31 up to 2^31 - 1. */
const greatestFirst =
  (number: (slot: number) => number): WriteKeys =>
  (slots, keys) => {
    for (let i = 0; i < slots.length; i++) keys[i] = number(slots[i] as number)
  }

/** A time in ms in two integers: whole spans, and the rest less half a span. */
const span = 2 ** 32

export function createPages(state: CatalogueState): Pages {
  const { columns, copies, orders, repositories } = state
  const { starCount, updatedAt, repository } = columns
  const byPlaceIn = (name: Within): SortKeys => [
    greatestFirst((slot) => -listsOf(copies.isCopy(slot))[name].place(slot)),
  ]
  const within = { byStars: byPlaceIn('byStars'), byFetches: byPlaceIn('byFetches') }
  const originalsFirst = greatestFirst((slot) => (copies.isCopy(slot) ? 0 : 1))
  const byStars: SortKeys = [
    greatestFirst((slot) => repositories.starCount(repository.get(slot))),
    ...within.byStars,
  ]
  const byUpdate: SortKeys = [
    greatestFirst((slot) => Math.floor(updatedAt.get(slot) / span)),
    greatestFirst((slot) => (updatedAt.get(slot) >>> 0) - span / 2),
    ...byStars,
  ]
  const rankings: Record<SkillOrder, SortKeys> = {
    stars: byStars,
    downloads: [
      greatestFirst((slot) => repositories.downloadCount(repository.get(slot))),
      ...within.byFetches,
    ],
    recent: byUpdate,
    trending: [greatestFirst(starCount.get), ...byStars],
  }
  const { byRepository, skillsIn } = createRepositoryPages(state, within)

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

  function withCopiesLast(ranking: SortKeys): SortKeys {
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
    const kind = { areCopies, lists, sizeOf: (number: number) => skillsIn(number, areCopies) }
    const starred: Walk = {
      ...kind,
      list: repositories.byStars,
      within: 'byStars',
      areEqual: isAsStarred,
    }
    if (order === 'stars') return byRepository(starred, start, last)
    if (order === 'downloads') {
      const list = repositories.byDownloads
      const walk: Walk = { ...kind, list, within: 'byFetches', areEqual: isAsDownloaded }
      return byRepository(walk, start, last)
    }
    return order === 'recent'
      ? withTies(lists.byUpdate, starred, updatedAt.get, start, last)
      : withTies(lists.byStars, starred, starCount.get, start, last)
  }

  function isAsStarred(a: number, b: number): boolean {
    return repositories.starCount(a) === repositories.starCount(b)
  }

  function isAsDownloaded(a: number, b: number): boolean {
    return repositories.downloadCount(a) === repositories.downloadCount(b)
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
