import { lowerBound } from '../runtime/lower-bound.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'

/**
 * Sort orders. `stars` and `downloads` compare the repository's number, then the skill's, then the
 * id. Near-copies follow all other skills.
 */
export type SkillOrder = 'stars' | 'downloads' | 'recent' | 'trending'

type Compare = (a: SkillRecord, b: SkillRecord) => number

const byId: Compare = (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const byStars: Compare = (a, b) =>
  b.repository.starCount - a.repository.starCount || b.starCount - a.starCount || byId(a, b)

export type Orders = ReturnType<typeof createOrders>

/** Creates all sort orders of the skills. */
export function createOrders(
  records: readonly (SkillRecord | undefined)[],
  isCopy: (slot: number) => boolean,
) {
  const orderBy = (compare: Compare) =>
    createOrder(records, (a, b) => {
      const copiesLast = Number(isCopy(a)) - Number(isCopy(b))
      return copiesLast || compare(records[a] as SkillRecord, records[b] as SkillRecord)
    })
  const orders = {
    stars: orderBy(byStars),
    downloads: orderBy(
      (a, b) =>
        b.repository.downloadCount - a.repository.downloadCount ||
        b.fetchCount - a.fetchCount ||
        byId(a, b),
    ),
    recent: orderBy((a, b) => b.updatedAt - a.updatedAt || byStars(a, b)),
    trending: orderBy((a, b) => b.starCount - a.starCount || byStars(a, b)),
  } satisfies Record<SkillOrder, unknown>
  const all = Object.values(orders)
  return {
    ...orders,
    /** Marks the skill of a slot as added, changed or removed. */
    touch(slot: number) {
      for (const order of all) order.touch(slot)
    },
    sort() {
      for (const order of all) order.list()
    },
  }
}

/** Creates a sorted list of all slots. Changed slots are merged in when the list is next read. */
function createOrder(
  records: readonly (SkillRecord | undefined)[],
  compare: (a: number, b: number) => number,
) {
  let sorted = new Uint32Array(0)
  const touched = new Set<number>()
  return {
    touch: (slot: number) => touched.add(slot),
    /** Returns the sorted slots. The array is the same until something changes. */
    list(): Uint32Array {
      if (touched.size === 0) return sorted
      const others = sorted.filter((slot) => !touched.has(slot))
      const changed = [...touched].filter((slot) => records[slot]).sort(compare)
      sorted = merge(others, changed, compare)
      touched.clear()
      return sorted
    },
  }
}

/** Merges two sorted lists. Fast if `few` is much shorter. */
function merge(
  many: Uint32Array,
  few: readonly number[],
  compare: (a: number, b: number) => number,
): Uint32Array<ArrayBuffer> {
  const merged = new Uint32Array(many.length + few.length)
  let from = 0
  few.forEach((item, before) => {
    const to = lowerBound(from, many.length, (at) => compare(many[at] as number, item) < 0)
    merged.set(many.subarray(from, to), from + before)
    merged[to + before] = item
    from = to
  })
  merged.set(many.subarray(from), from + few.length)
  return merged
}
