import type { CopyClaim } from '../../skills/store/skill-record.ts'
import { isAlike, isNear, type Overlap, reachOf } from './near.ts'
import { createPassageIndex } from './passage-index.ts'
import type { PassageTimes } from './passage-times.ts'
import { emptySample, type Sample } from './passages.ts'

/** What of a skill makes it a near-copy, or an original. */
export interface CopiedSkill {
  readonly id: string
  /** Equal for equal publishers. */
  readonly publisher: string
  readonly createdAt: number
  readonly sample: Sample
  /** Passages that the skill had first after it was created. */
  readonly times: PassageTimes | undefined
}

export type Copies = ReturnType<typeof createCopies>

/** Originals that a skill may be a near-copy of at a time. */
const MOST_PARENTS = 3

/** The next holders of a passage that are looked at again when another skill has it first. */
const MOST_HEIRS = 32

const none: readonly number[] = []

/** Which skills, by slot, are near-copies of which older ones (server/docs/registry.md#near-copies). */
export function createCopies(slotOf: (id: string) => number | undefined) {
  const skills = new Map<number, CopiedSkill>()
  const words = new Map<number, CopyClaim>()
  const parents = new Map<number, readonly number[]>()
  const children = new Map<number, Set<number>>()
  const index = createPassageIndex(
    (passage, a, b) => ageOf(a, passage) - ageOf(b, passage) || compare(a, b),
  )
  /** Slots whose parents are to be found anew. */
  const dirty = new Set<number>()

  const get = (slot: number) => skills.get(slot) as CopiedSkill
  const publisherOf = (slot: number) => get(slot).publisher
  const ageOf = (slot: number, passage: number) =>
    get(slot).times?.get(passage) ?? get(slot).createdAt
  const parentsOf = (slot: number) => parents.get(slot) ?? none
  const isCopy = (slot: number) => parents.has(slot)

  return {
    put,
    remove,
    tell,
    settle,
    isCopy,
    parentsOf,
    originalsOf,
    /** Whether any skill is a near-copy of this one. */
    isCopied: (slot: number) => children.has(slot),
    sampleOf: (slot: number) => skills.get(slot)?.sample ?? emptySample,
    /** The slot that had a passage first; undefined where none has it. */
    firstWith: index.first,
    /** How many are near-copies. */
    get count() {
      return parents.size
    },
  }

  function compare(a: number, b: number): number {
    return get(a).createdAt - get(b).createdAt || (get(a).id < get(b).id ? -1 : 1)
  }

  /** Takes in the text of a skill. */
  function put(slot: number, skill: CopiedSkill): void {
    withdraw(slot)
    skills.set(slot, skill)
    for (const passage of skill.sample.passages) {
      index.add(passage, slot)
      touch(passage)
    }
    renewNaming(slot, skill.id)
  }

  function remove(slot: number): void {
    tell(slot, null)
    withdraw(slot)
    dirty.add(slot)
  }

  function withdraw(slot: number): void {
    const skill = skills.get(slot)
    if (!skill) return
    for (const passage of skill.sample.passages) {
      touch(passage)
      index.remove(passage, slot)
    }
    skills.delete(slot)
    for (const child of children.get(slot) ?? none) dirty.add(child)
    renewNaming(slot, skill.id)
  }

  /** Has the skills found anew whose originals may change as holders of a passage come or go. */
  function touch(passage: number): void {
    const holders = index.holders(passage)
    if (holders.length === 1) return
    for (const slot of holders.slice(0, MOST_HEIRS)) {
      dirty.add(slot)
      for (const child of children.get(slot) ?? none) dirty.add(child)
    }
  }

  /** Takes in what the publisher or an operator says of a skill; null where they say nothing. */
  function tell(slot: number, word: CopyClaim | null): void {
    const former = words.get(slot)
    if (former === undefined && word === null) return
    if (word === null) words.delete(slot)
    else words.set(slot, word)
    dirty.add(slot)
    for (const each of [former, word]) {
      const named = each?.copyOf ? slotOf(each.copyOf) : undefined
      if (named !== undefined) dirty.add(named)
    }
  }

  /** What is said of a skill that has come, changed or gone now holds, or does not. */
  function renewNaming(slot: number, id: string): void {
    if (words.has(slot) || isCopy(slot)) dirty.add(slot)
    for (const [other, { copyOf }] of words) if (copyOf === id) dirty.add(other)
  }

  /** Brings everything up to date; `onChange` hears who has become a near-copy, or is none any more. */
  function settle(onChange: (slot: number, isCopy: boolean) => void): void {
    for (const slot of dirty) {
      const was = isCopy(slot)
      for (const parent of parentsOf(slot)) {
        const others = children.get(parent)
        others?.delete(slot)
        if (others?.size === 0) children.delete(parent)
      }
      const found = skills.has(slot) ? findParents(slot) : none
      if (found.length === 0) parents.delete(slot)
      else parents.set(slot, found)
      for (const parent of found) {
        const others = children.get(parent)
        if (others) others.add(slot)
        else children.set(parent, new Set([slot]))
      }
      if (was !== found.length > 0) onChange(slot, !was)
    }
    dirty.clear()
  }

  /** What is said of a skill, then what its passages say, the most copied first. */
  function findParents(slot: number): number[] {
    const word = words.get(slot)
    const named = word?.copyOf ? slotOf(word.copyOf) : undefined
    const said = named === undefined || !isBelieved(slot, named) ? [] : [named]
    if (word?.by === 'operator') return said
    const found = findCopied(slot).filter((other) => other !== named && !names(other, slot))
    return [...said, ...found].slice(0, MOST_PARENTS)
  }

  /** Whether it is said of a skill that it copies another. */
  function names(slot: number, other: number): boolean {
    const copyOf = words.get(slot)?.copyOf
    return copyOf != null && slotOf(copyOf) === other
  }

  /** Whether what is said of a skill makes it a copy of the named one. */
  function isBelieved(slot: number, named: number): boolean {
    const [own, theirs] = [words.get(slot), words.get(named)]
    if (named === slot || !skills.has(named)) return false
    // Where each names the other, an operator's word counts, then the older skill is the original.
    if (names(named, slot)) {
      if (own?.by !== theirs?.by ? theirs?.by === 'operator' : compare(slot, named) < 0)
        return false
    }
    const samples = [get(slot), get(named)].map(({ sample }) => sample.passages)
    return own?.by === 'operator' || isAlike(samples[0] ?? [], samples[1] ?? [])
  }

  /** The skills of which one is a near-copy by its passages, the most copied first. */
  function findCopied(slot: number): number[] {
    const firsts = get(slot).sample.passages.map((passage) => index.first(passage) as number)
    /** The skill of each publisher that has most in common: others of a series share the frame. */
    const best = new Map<string, { other: number; overlap: Overlap }>()
    for (const other of new Set(firsts)) {
      if (other === slot) continue
      const overlap = overlapOf(slot, other, firsts)
      const known = best.get(publisherOf(other))
      const more = known ? overlap.shared - known.overlap.shared : 1
      if (more > 0 || (more === 0 && known && compare(other, known.other) < 0)) {
        best.set(publisherOf(other), { other, overlap })
      }
    }
    return [...best.values()]
      .filter(({ other, overlap }) => {
        const ratio = get(other).sample.count / get(slot).sample.count
        if (!isNear(overlap, ratio, publisherOf(slot) === publisherOf(other))) return false
        const { originals, copys } = overlap
        return originals > copys || (originals === copys && compare(other, slot) < 0)
      })
      .sort((a, b) => b.overlap.originals - a.overlap.originals || compare(a.other, b.other))
      .map(({ other }) => other)
  }

  /** `firsts` are the slots that had the copy's passages first. */
  function overlapOf(copy: number, original: number, firsts: readonly number[]): Overlap {
    const [ofCopy, ofOriginal] = [get(copy).sample.passages, get(original).sample.passages]
    const reach = reachOf(ofCopy, ofOriginal)
    const isOnePublisher = publisherOf(copy) === publisherOf(original)
    const overlap = { ofCopy: 0, ofOriginal: 0, shared: 0, originals: 0, copys: 0 }
    overlap.ofOriginal = ofOriginal.filter((passage) => passage <= reach).length
    for (const [i, passage] of ofCopy.entries()) {
      if (passage > reach) break
      overlap.ofCopy++
      if (!ofOriginal.includes(passage)) continue
      overlap.shared++
      const first = firsts[i] as number
      const isOf = (slot: number) =>
        first === slot || (!isOnePublisher && publisherOf(first) === publisherOf(slot))
      if (isOf(original)) overlap.originals++
      else if (isOf(copy)) overlap.copys++
    }
    return overlap
  }

  /** The originals at the ends of what a skill is a near-copy of; none for one that is no copy. */
  function originalsOf(slot: number): readonly number[] {
    if (!isCopy(slot)) return none
    const seen = new Set([slot])
    const originals: number[] = []
    // The list grows while it is gone through.
    const open = [...parentsOf(slot)]
    for (const each of open) {
      if (seen.has(each)) continue
      seen.add(each)
      if (isCopy(each)) open.push(...parentsOf(each))
      else originals.push(each)
    }
    return originals
  }
}
