import type { Collection, SegmentState } from './collection.ts'
import { SEGMENT_DOCUMENTS } from './segment.ts'

/** Segments of a tier that are merged into one; each tier holds segments that much larger. */
const FAN_IN = 8

/** Live documents that become a segment, or fewer with so many units together: twice what is usual. */
export const LIVE_DOCUMENTS = 32
export const LIVE_UNITS = 50_000

/** A segment is rebuilt when this share of it is dead. */
const MOST_DEAD = 0.25

/** The segments to merge next, or undefined when nothing is due. */
export function nextMerge({ parts }: Collection): SegmentState[] | undefined {
  const holed = parts.find(
    ({ segment, living }) => segment.documents - living > segment.documents * MOST_DEAD,
  )
  if (holed) return [holed]
  const tiers = new Map<number, SegmentState[]>()
  for (const part of parts) {
    if (part.living > SEGMENT_DOCUMENTS / 2) continue
    const tier = Math.floor(Math.log(part.living / LIVE_DOCUMENTS) / Math.log(FAN_IN) + 1e-9)
    const same = tiers.get(Math.max(0, tier)) ?? []
    same.push(part)
    tiers.set(Math.max(0, tier), same)
  }
  for (const same of tiers.values()) {
    if (same.length < FAN_IN) continue
    same.sort((a, b) => a.living - b.living)
    const chosen: SegmentState[] = []
    let total = 0
    for (const part of same) {
      total += part.living
      if (total <= SEGMENT_DOCUMENTS) chosen.push(part)
    }
    if (chosen.length > 1) return chosen
  }
  return undefined
}
