import type { CopyClaim } from '../store/registry/skill-record.ts'
import { comparable, isClaimPlausible, isNearCopy, type Overlap } from './near.ts'
import { createPassageIndex } from './passage-index.ts'
import { emptySample, type PassageTimes, type Sample } from './passages.ts'

/** Properties of a skill that decide whether it is a near-copy or an original. */
interface CopiedSkill {
  readonly id: string
  readonly publisher: string
  readonly createdAt: number
  readonly sample: Sample
  /** When the skill got passages that it did not have when it was created. */
  readonly times: PassageTimes | undefined
}

export type Copies = ReturnType<typeof createCopies>

/** Maximum number of skills that a skill copies. */
const maxParents = 3

/** Number of a passage's holders to recompute when its first holder changes. */
const maxAffected = 32

const none: readonly number[] = []

/**
 * Creates the graph of near-copies (server/docs/registry.md#near-copies). Skills are identified by
 * slot. The parents of a skill are the skills that it copies, and may be copies themselves.
 */
export function createCopies(slotOf: (id: string) => number | undefined) {
  const skills = new Map<number, CopiedSkill>()
  const claims = new Map<number, CopyClaim>()
  /** Slots by the id that their claim names. */
  const claimants = new Map<string, Set<number>>()
  /** By slot. Empty for a skill that is not a near-copy. */
  const parents: (readonly number[])[] = []
  let count = 0
  const children = new Map<number, Set<number>>()
  const index = createPassageIndex(
    (passage, a, b) => ageOf(a, passage) - ageOf(b, passage) || compare(a, b),
  )
  /** Slots whose parents must be recomputed. */
  const dirty = new Set<number>()

  const get = (slot: number) => skills.get(slot) as CopiedSkill
  const publisherOf = (slot: number) => get(slot).publisher
  const ageOf = (slot: number, passage: number) =>
    get(slot).times?.get(passage) ?? get(slot).createdAt
  const parentsOf = (slot: number) => parents[slot] ?? none
  const isCopy = (slot: number) => parentsOf(slot).length > 0

  return {
    put,
    remove,
    setClaim,
    settle,
    isCopy,
    parentsOf,
    originalsOf,
    sampleOf: (slot: number) => skills.get(slot)?.sample ?? emptySample,
    /** Returns the slot that had a passage first, if any. */
    firstWith: index.first,
    get count() {
      return count
    },
  }

  function compare(a: number, b: number): number {
    return get(a).createdAt - get(b).createdAt || (get(a).id < get(b).id ? -1 : 1)
  }

  /** Adds or replaces the text of a skill. */
  function put(slot: number, skill: CopiedSkill): void {
    removeText(slot)
    skills.set(slot, skill)
    // Set in ascending order of slots, which keeps the array dense.
    parents[slot] ??= none
    for (const passage of skill.sample.passages) {
      index.add(passage, slot)
      touch(passage, slot)
    }
    dirty.add(slot)
    markClaims(skill.id)
  }

  function remove(slot: number): void {
    setClaim(slot, null)
    removeText(slot)
    dirty.add(slot)
  }

  function removeText(slot: number): void {
    const skill = skills.get(slot)
    if (!skill) return
    for (const passage of skill.sample.passages) {
      touch(passage, slot)
      index.remove(passage, slot)
    }
    skills.delete(slot)
    for (const child of children.get(slot) ?? none) dirty.add(child)
    markClaims(skill.id)
  }

  /** Marks the skills whose parents may change if a slot is the first holder of a passage. */
  function touch(passage: number, slot: number): void {
    const holders = index.holders(passage)
    if (holders[0] !== slot || holders.length === 1) return
    for (const holder of holders.slice(0, maxAffected)) {
      dirty.add(holder)
      for (const child of children.get(holder) ?? none) dirty.add(child)
    }
  }

  /** Sets or clears the claim of the publisher or an operator about a skill. */
  function setClaim(slot: number, claim: CopyClaim | null): void {
    const previous = claims.get(slot)
    if (previous === undefined && claim === null) return
    if (previous?.copyOf) claimants.get(previous.copyOf)?.delete(slot)
    if (claim === null) claims.delete(slot)
    else claims.set(slot, claim)
    if (claim?.copyOf) {
      claimants.set(claim.copyOf, (claimants.get(claim.copyOf) ?? new Set()).add(slot))
    }
    dirty.add(slot)
    for (const each of [previous, claim]) {
      const named = each?.copyOf ? slotOf(each.copyOf) : undefined
      if (named !== undefined) dirty.add(named)
    }
  }

  /** Marks the skills whose claims may take effect or lapse when the named skill changes. */
  function markClaims(id: string): void {
    for (const claimant of claimants.get(id) ?? none) dirty.add(claimant)
  }

  /**
   * Recomputes marked skills. Calls `onChange` for each that became, or ceased to be, a near-copy.
   */
  function settle(onChange: (slot: number, isCopy: boolean) => void): void {
    for (const slot of dirty) {
      const was = isCopy(slot)
      for (const parent of parentsOf(slot)) children.get(parent)?.delete(slot)
      const found = skills.has(slot) ? findParents(slot) : none
      parents[slot] = found
      count += Number(found.length > 0) - Number(was)
      for (const parent of found) {
        const others = children.get(parent) ?? new Set()
        children.set(parent, others.add(slot))
      }
      if (was !== found.length > 0) onChange(slot, !was)
    }
    dirty.clear()
  }

  /** Returns the claimed original, then those found by passages, the most copied first. */
  function findParents(slot: number): number[] {
    const claim = claims.get(slot)
    const named = claim?.copyOf ? slotOf(claim.copyOf) : undefined
    const claimed = named === undefined || !isAccepted(slot, named) ? [] : [named]
    if (claim?.by === 'operator') return claimed
    const found = findCopied(slot).filter((other) => other !== named && !claimsCopy(other, slot))
    return [...claimed, ...found].slice(0, maxParents)
  }

  /** Returns whether a claim names `other` as the original of `slot`. */
  function claimsCopy(slot: number, other: number): boolean {
    const copyOf = claims.get(slot)?.copyOf
    return copyOf != null && slotOf(copyOf) === other
  }

  /** Returns whether the claim that `slot` is a copy of `named` is accepted. */
  function isAccepted(slot: number, named: number): boolean {
    const [own, theirs] = [claims.get(slot), claims.get(named)]
    if (named === slot || !skills.has(named)) return false
    // If each names the other, an operator's claim takes precedence, then the older skill.
    if (claimsCopy(named, slot)) {
      if (own?.by !== theirs?.by ? theirs?.by === 'operator' : compare(slot, named) < 0)
        return false
    }
    if (own?.by === 'operator') return true
    return isClaimPlausible(get(slot).sample.passages, get(named).sample.passages)
  }

  /** Returns the skills that a skill copies by its passages, the most copied first. */
  function findCopied(slot: number): number[] {
    const firsts = get(slot).sample.passages.map((passage) => index.first(passage) as number)
    /** Best match of each publisher. A publisher's skills often share a template. */
    const best = new Map<string, { other: number; overlap: Overlap }>()
    for (const other of new Set(firsts)) {
      if (other === slot) continue
      const overlap = overlapOf(slot, other)
      const known = best.get(publisherOf(other))
      const more = known ? overlap.shared - known.overlap.shared : 1
      if (more > 0 || (more === 0 && known && compare(other, known.other) < 0)) {
        best.set(publisherOf(other), { other, overlap })
      }
    }
    return [...best.values()]
      .filter(({ other, overlap }) => {
        const ratio = get(other).sample.count / get(slot).sample.count
        if (!isNearCopy(overlap, ratio, publisherOf(slot) === publisherOf(other))) return false
        const { originalFirst, copyFirst } = overlap
        return (
          originalFirst > copyFirst || (originalFirst === copyFirst && compare(other, slot) < 0)
        )
      })
      .sort(
        (a, b) => b.overlap.originalFirst - a.overlap.originalFirst || compare(a.other, b.other),
      )
      .map(({ other }) => other)
  }

  function overlapOf(copy: number, original: number): Overlap {
    const [one, other] = [get(copy).sample.passages, get(original).sample.passages]
    const { ofOne, ofOther, shared } = comparable(one, other)
    const firsts = shared.map((passage) => index.first(passage) as number)
    const isOnePublisher = publisherOf(copy) === publisherOf(original)
    const isOf = (slot: number) => (first: number) =>
      first === slot || (!isOnePublisher && publisherOf(first) === publisherOf(slot))
    return {
      ofCopy: ofOne.length,
      ofOriginal: ofOther.length,
      shared: shared.length,
      originalFirst: firsts.filter(isOf(original)).length,
      copyFirst: firsts.filter(isOf(copy)).length,
    }
  }

  /**
   * Returns the originals of a near-copy: its ancestors that are not copies, the most copied first.
   */
  function originalsOf(slot: number): readonly number[] {
    if (!isCopy(slot)) return none
    const seen = new Set([slot])
    const originals: number[] = []
    // The list grows during the iteration.
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
