import { leastPassages } from './passages.ts'

/**
 * When a skill first had its passages, ms since 1970: by that the original is told, so that an old skill
 * which is edited into a copy of a younger one is no older for it. Only passages that came after the
 * skill was created are noted, of the `NOTED` with the least hashes: those that may come into the
 * sample when others go.
 */
export type PassageTimes = ReadonlyMap<number, number>

/** Passages of a readme that are looked at for what came later. */
export const NOTED = 256

/** Reads what `writeTimes` wrote; nothing was noted of a skill that was never changed. */
export function readTimes(text: string | null | undefined): PassageTimes {
  const times = new Map<number, number>()
  if (!text) return times
  for (const [time, passages] of JSON.parse(text) as [number, number[]][]) {
    for (const passage of passages) times.set(passage, time)
  }
  return times
}

/** Times in JSON, each with its passages; null where there are none. */
export function writeTimes(times: PassageTimes): string | null {
  if (times.size === 0) return null
  const passages = new Map<number, number[]>()
  for (const [passage, time] of times) {
    const others = passages.get(time)
    if (others) others.push(passage)
    else passages.set(time, [passage])
  }
  return JSON.stringify([...passages])
}

/** A change of a skill's readme. */
export interface Change {
  createdAt: number
  before: { readme: string; times: PassageTimes; since: number }
  readme: string
  /** Now, or when the skill had this very readme before. */
  now: number
  key: number
}

/**
 * The times after a change: what stays keeps its time, what comes has that of the change. A passage that
 * stays, but was beyond those noted, is as old as the version that was changed: no older one is known.
 */
export function changedTimes({ createdAt, before, readme, now, key }: Change): PassageTimes {
  const all = new Set<number>()
  const former = leastPassages(before.readme, key, NOTED, (passage) => all.add(passage))
  const reach = former.length < NOTED ? 2 ** 32 : (former[NOTED - 1] as number)
  const noted = new Set(former)
  const times = new Map<number, number>()
  for (const passage of leastPassages(readme, key, NOTED)) {
    const stayed = passage <= reach ? noted.has(passage) : all.has(passage)
    const known = passage <= reach ? (before.times.get(passage) ?? createdAt) : before.since
    const time = stayed ? Math.min(known, now) : now
    if (time > createdAt) times.set(passage, time)
  }
  return times
}
