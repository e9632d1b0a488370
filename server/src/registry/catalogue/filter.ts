import type { SearchMatches } from '../../search/index.ts'
import { hashText } from '../columns/hashes.ts'
import type { Verdict } from '../lint/judge.ts'
import type { Group } from './postings.ts'
import { keep } from './select.ts'
import { aliveSlots } from './slots.ts'
import type { CatalogueState } from './state.ts'

/** What skills must have; compared without case. */
export interface SkillFilter {
  /** All of these. */
  readonly tags: readonly string[]
  readonly owner?: string | undefined
  readonly repo?: string | undefined
  /** The gravest verdict. */
  readonly verdict?: Verdict | undefined
}

/** What passes a filter. */
export interface Passing {
  /** The slots, in no order. */
  readonly slots: Uint32Array
  /** Those of some matches that pass. */
  among(matches: SearchMatches): SearchMatches
}

/** The group of all skills with a tag. Its first word tells it from a repository's. */
export const tagGroup = (tag: string): Group => {
  const [first, second] = hashText(tag.toLowerCase())
  return [first >>> 1, second]
}

/** The group of all skills of a repository. */
export const repositoryGroup = (number: number): Group => [0xffffffff, number]

/** Applies filters; `end` is above every slot. */
export function createFilter({ columns, postings, repositories, verdicts }: CatalogueState) {
  /** By slot: how many of the conditions it meets, while a filter is applied. */
  let met = new Uint16Array(0)

  return (filter: SkillFilter, end: number): Passing => {
    if (met.length < end) met = new Uint16Array(Math.ceil(end * 1.2))
    const conditions = conditionsOf(filter)
      .map((groups) => ({ groups, count: sumOf(groups) }))
      .sort((a, b) => a.count - b.count)
    const [rarest, ...others] = conditions.map(({ groups, count }) => collect(groups, count))
    const { verdict } = filter
    const meeting = rarest ? meetingAll(rarest, others) : aliveSlots(columns, end)
    const slots = verdict ? keep(meeting, (slot) => verdicts.isAtMost(slot, verdict)) : meeting
    return { slots, among: (matches) => among(matches, slots) }
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

  function among({ slots, scores }: SearchMatches, passing: Uint32Array): SearchMatches {
    mark(passing, 1)
    const most = Math.min(passing.length, slots.length)
    const kept = { slots: new Uint32Array(most), scores: new Int32Array(most) }
    let count = 0
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as number
      if (met[slot] !== 1) continue
      kept.slots[count] = slot
      kept.scores[count++] = scores[i] as number
    }
    mark(passing, 0)
    return { slots: kept.slots.subarray(0, count), scores: kept.scores.subarray(0, count) }
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
    return groups.reduce((sum, group) => sum + postings.count(group), 0)
  }

  function collect(groups: readonly Group[], count: number): Uint32Array {
    const slots = new Uint32Array(count)
    let at = 0
    for (const group of groups) at = postings.collect(group, slots, at)
    return slots
  }
}
