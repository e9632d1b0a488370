import { lowerBound } from '../runtime/lower-bound.ts'
import { scopeOf } from '../store/registry/repositories.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { isInstallableSlug } from '../text/skill-file/complete.ts'

/**
 * Sort orders. `stars` and `downloads` compare the repository's number, then the skill's, then the
 * id. `browse` breaks ties of `stars` in favor of clean and complete skills, and takes turns among
 * their owners, the latest skill of each first. Near-copies follow all other skills.
 */
export type SkillOrder = 'stars' | 'browse' | 'downloads' | 'recent' | 'trending'

type Compare = (a: SkillRecord, b: SkillRecord) => number

const byId: Compare = (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const byCounts: Compare = (a, b) =>
  b.repository.starCount - a.repository.starCount || b.starCount - a.starCount

const byStars: Compare = (a, b) => byCounts(a, b) || byId(a, b)

/** Ranks the verdict, then whether a reader learns what the skill does and can install it. */
const flawsOf = ({ verdict, description, slug }: SkillRecord) =>
  2 * (verdict === 'clean' ? 0 : verdict === 'notice' ? 1 : 2) +
  (description !== '' && isInstallableSlug(slug) ? 0 : 1)

const byMerit: Compare = (a, b) => byCounts(a, b) || flawsOf(a) - flawsOf(b)

export type Orders = ReturnType<typeof createOrders>

/** Creates all sort orders of the skills. */
export function createOrders(
  records: readonly (SkillRecord | undefined)[],
  isCopy: (slot: number) => boolean,
) {
  const bySlot = (compare: Compare) => (a: number, b: number) => {
    const copiesLast = Number(isCopy(a)) - Number(isCopy(b))
    return copiesLast || compare(records[a] as SkillRecord, records[b] as SkillRecord)
  }
  const orderBy = (compare: Compare) => createOrder(records, bySlot(compare))
  const ownerOf = (slot: number) => (records[slot] as SkillRecord).repository.owner
  const newest: Compare = (a, b) => byMerit(a, b) || b.updatedAt - a.updatedAt || byId(a, b)
  const orders = {
    stars: orderBy(byStars),
    browse: createOrder(records, bySlot(newest), (list) =>
      takeTurns(list, bySlot(byMerit), ownerOf),
    ),
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

/** Number of slots that owners take turns in. Nobody reads further, and a write reorders them. */
const longestTurns = 20_000

/** Within slots that compare as equal, lists the first of each owner, then the second, and so on. */
function takeTurns(
  list: Uint32Array,
  compare: (a: number, b: number) => number,
  ownerOf: (slot: number) => string,
) {
  const result = list.slice()
  const turned = list.subarray(0, longestTurns)
  const turns = new Map<string, number>()
  let rounds: number[][] = []
  let filled = 0
  turned.forEach((slot, at) => {
    const turn = turns.get(ownerOf(slot)) ?? 0
    turns.set(ownerOf(slot), turn + 1)
    const round = rounds[turn] ?? []
    rounds[turn] = round
    round.push(slot)
    const next = turned[at + 1]
    if (next !== undefined && compare(slot, next) === 0) return
    for (const round of rounds) {
      result.set(round, filled)
      filled += round.length
    }
    rounds = []
    turns.clear()
  })
  return result
}

/**
 * Creates a sorted list of the slots of public skills. Changed slots are merged in when the list is next read.
 * `arrange` reorders the sorted list.
 */
function createOrder(
  records: readonly (SkillRecord | undefined)[],
  compare: (a: number, b: number) => number,
  arrange = (list: Uint32Array) => list,
) {
  let sorted = new Uint32Array(0)
  let arranged: Uint32Array = sorted
  const touched = new Set<number>()
  const isPublic = (slot: number) => {
    const skill = records[slot]
    return skill !== undefined && scopeOf(skill.repository) === undefined
  }
  return {
    touch: (slot: number) => touched.add(slot),
    /**
     * Returns the sorted slots, and `others` among them. Without others, the array is the same until
     * something changes.
     */
    list(others: readonly number[] = []): Uint32Array {
      if (touched.size > 0) {
        const unchanged = sorted.filter((slot) => !touched.has(slot))
        const changed = [...touched].filter(isPublic).sort(compare)
        sorted = merge(unchanged, changed, compare)
        touched.clear()
        arranged = arrange(sorted)
      }
      return others.length === 0
        ? arranged
        : arrange(merge(sorted, others.toSorted(compare), compare))
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
