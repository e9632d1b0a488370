import { lowerBound } from '../runtime/lower-bound.ts'

/** Number of Maps. One Map holds at most 16 million entries, and blocks while it grows. */
const shardCount = 256

/** Creates an index of the slots that have a passage, ordered by `compare`, oldest first. */
export function createPassageIndex(compare: (passage: number, a: number, b: number) => number) {
  // Most passages have one holder, which is stored without an array.
  const shards = Array.from({ length: shardCount }, () => new Map<number, number | number[]>())
  const shardOf = (passage: number) =>
    shards[passage % shardCount] as Map<number, number | number[]>

  return {
    first(passage: number): number | undefined {
      const slots = shardOf(passage).get(passage)
      return typeof slots === 'object' ? slots[0] : slots
    },
    /** Returns the slots that have a passage, oldest first. */
    holders(passage: number): readonly number[] {
      const slots = shardOf(passage).get(passage)
      return typeof slots === 'object' ? slots : slots === undefined ? [] : [slots]
    },
    add(passage: number, slot: number): void {
      const shard = shardOf(passage)
      const slots = shard.get(passage)
      if (slots === undefined) shard.set(passage, slot)
      else if (typeof slots === 'number') {
        shard.set(passage, compare(passage, slots, slot) < 0 ? [slots, slot] : [slot, slots])
      } else {
        const isOlder = (at: number) => compare(passage, slots[at] as number, slot) < 0
        slots.splice(lowerBound(0, slots.length, isOlder), 0, slot)
      }
    },
    remove(passage: number, slot: number): void {
      const shard = shardOf(passage)
      const slots = shard.get(passage)
      if (typeof slots !== 'object') shard.delete(passage)
      else if (slots.length > 2) slots.splice(slots.indexOf(slot), 1)
      else shard.set(passage, slots[0] === slot ? (slots[1] as number) : (slots[0] as number))
    },
  }
}
