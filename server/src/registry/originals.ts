/** A hit and the near-copies of it that the ranking has seen. */
interface Copied {
  slot: number
  copies: readonly number[]
}

/** What decides which of several near-copies is the original. */
export interface Origin {
  /** Trust score, 0 to 1. */
  trust: number
  /** Milliseconds since 1970. */
  createdAt: number
}

/** One of several near-copies is the more trusted one where its trust score is this much higher. */
const clearlyMoreTrusted = 0.1

/**
 * The original of each slot that has near-copies, its own slot where it is that one: of a group, the
 * oldest of those that none is clearly more trusted than, or else the one with the smallest id.
 * Near-copies of a near-copy belong to the same group.
 */
export function originalsOf(
  hits: readonly Copied[],
  originOf: (slot: number) => Origin | undefined,
  compareIds: (a: number, b: number) => number,
): Map<number, number> {
  const originals = new Map<number, number>()
  for (const group of groupsOf(hits)) {
    const members = group.flatMap((slot) => {
      const origin = originOf(slot)
      return origin ? [{ slot, ...origin }] : []
    })
    const most = Math.max(...members.map(({ trust }) => trust))
    const [original] = members
      .filter(({ trust }) => most - trust < clearlyMoreTrusted)
      .sort((a, b) => a.createdAt - b.createdAt || compareIds(a.slot, b.slot))
    if (original) for (const { slot } of members) originals.set(slot, original.slot)
  }
  return originals
}

/** Slots that copies connect, two or more to a group. */
function groupsOf(hits: readonly Copied[]): number[][] {
  const groupOf = new Map<number, number[]>()
  for (const { slot, copies } of hits) {
    for (const other of copies) {
      const [one, two] = [groupOf.get(slot) ?? [slot], groupOf.get(other) ?? [other]]
      if (one === two) continue
      const joined = [...one, ...two]
      for (const member of joined) groupOf.set(member, joined)
    }
  }
  return [...new Set(groupOf.values())]
}
