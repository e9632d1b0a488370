import { hashText } from './hashes.ts'
import type { Holdings } from './holdings.ts'
import { keep } from './keep.ts'
import type { Group } from './memberships.ts'

/** What skills must have; compared without case. */
export interface SkillFilter {
  /** All of these. */
  readonly tags: readonly string[]
  readonly owner?: string | undefined
  readonly repo?: string | undefined
}

/** What passes a filter. */
export interface Passing {
  /** The slots, in no order. */
  readonly slots: Uint32Array
  /** The places among the first `count` of some slots where one stands that passes. */
  placesIn(slots: Uint32Array, count: number): Uint32Array
  /** Those of some slots that pass. */
  among(slots: Uint32Array): Uint32Array
}

/** The group of all skills with a tag. Its first word tells it from a repository's. */
export const tagGroup = (tag: string): Group => {
  const [first, second] = hashText(tag.toLowerCase())
  return [first >>> 1, second]
}

/** The group of all skills of a repository. */
export const repositoryGroup = (number: number): Group => [0xffffffff, number]

/** Applies filters; `end` is above every slot. */
export function createFilter({ memberships, repositories }: Holdings) {
  /** By slot: how many of the conditions it meets, while a filter is applied. */
  let met = new Uint16Array(0)

  return (filter: SkillFilter, end: number): Passing => {
    if (met.length < end) met = new Uint16Array(Math.ceil(end * 1.2))
    const conditions = conditionsOf(filter)
      .map((groups) => ({ groups, count: sumOf(groups) }))
      .sort((a, b) => a.count - b.count)
    const [rarest, ...others] = conditions.map(({ groups, count }) => collect(groups, count))
    const slots = meetingAll(rarest ?? new Uint32Array(0), others)
    return {
      slots,
      placesIn: (some, count) => placesIn(some, count, slots),
      among(some) {
        mark(slots, 1)
        const kept = keep(some, (slot) => met[slot] === 1)
        mark(slots, 0)
        return kept
      },
    }
  }

  function meetingAll(rarest: Uint32Array, others: readonly Uint32Array[]): Uint32Array {
    if (others.length === 0) return rarest
    mark(rarest, 1)
    others.forEach((slots, i) => {
      for (let at = 0; at < slots.length; at++) {
        const slot = slots[at] as number
        if (met[slot] === i + 1) met[slot] = i + 2
      }
    })
    const all = others.length + 1
    const meeting = keep(rarest, (slot) => met[slot] === all)
    mark(rarest, 0)
    return meeting
  }

  function placesIn(some: Uint32Array, count: number, passing: Uint32Array): Uint32Array {
    mark(passing, 1)
    const places = new Uint32Array(Math.min(passing.length, count))
    let found = 0
    for (let place = 0; place < count; place++) {
      if (met[some[place] as number] === 1) places[found++] = place
    }
    mark(passing, 0)
    return places.subarray(0, found)
  }

  function mark(slots: Uint32Array, conditions: number) {
    for (let at = 0; at < slots.length; at++) met[slots[at] as number] = conditions
  }

  /** Groups of which a skill must be in one, for each thing that is asked for. */
  function conditionsOf({ tags, owner, repo }: SkillFilter): Group[][] {
    const wanted = new Set(tags.map((tag) => tag.toLowerCase()))
    const conditions = [...wanted].map((tag) => [tagGroup(tag)])
    if (owner !== undefined || repo !== undefined) {
      conditions.push(repositories.find({ owner, name: repo }).map(repositoryGroup))
    }
    return conditions
  }

  function sumOf(groups: readonly Group[]): number {
    return groups.reduce((sum, group) => sum + memberships.count(group), 0)
  }

  function collect(groups: readonly Group[], count: number): Uint32Array {
    const slots = new Uint32Array(count)
    let at = 0
    for (const group of groups) at = memberships.collect(group, slots, at)
    return slots
  }
}
