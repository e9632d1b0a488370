/** A Map of 16 million entries is too large for one, and stalls while it grows. */
const SHARDS = 256

/** Which skills hold a passage, by slot, whoever had it first in front; `compare` orders two of them. */
export function createPassageIndex(compare: (passage: number, a: number, b: number) => number) {
  /** A slot alone where no other skill has the passage, as with most. */
  const shards = Array.from({ length: SHARDS }, () => new Map<number, number | number[]>())
  const shardOf = (passage: number) => shards[passage % SHARDS] as Map<number, number | number[]>

  return {
    first(passage: number): number | undefined {
      const held = shardOf(passage).get(passage)
      return typeof held === 'object' ? held[0] : held
    },
    /** All who hold it, the oldest first. */
    holders(passage: number): readonly number[] {
      const held = shardOf(passage).get(passage)
      return typeof held === 'object' ? held : held === undefined ? [] : [held]
    },
    add(passage: number, slot: number): void {
      const shard = shardOf(passage)
      const held = shard.get(passage)
      if (held === undefined) shard.set(passage, slot)
      else if (typeof held === 'number') {
        shard.set(passage, compare(passage, held, slot) < 0 ? [held, slot] : [slot, held])
      } else {
        let [low, high] = [0, held.length]
        while (low < high) {
          const middle = (low + high) >> 1
          if (compare(passage, held[middle] as number, slot) < 0) low = middle + 1
          else high = middle
        }
        held.splice(low, 0, slot)
      }
    },
    remove(passage: number, slot: number): void {
      const shard = shardOf(passage)
      const held = shard.get(passage)
      if (typeof held !== 'object') shard.delete(passage)
      else if (held.length > 2) held.splice(held.indexOf(slot), 1)
      else shard.set(passage, held[0] === slot ? (held[1] as number) : (held[0] as number))
    },
  }
}
