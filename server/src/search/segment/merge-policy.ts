import type { Collection, SegmentState } from './collection.ts'
import { SEGMENT_DOCUMENTS } from './segment.ts'

/** Number of segments of a tier that are merged. Each tier's segments are this factor larger. */
const FAN_IN = 8

/**
 * Number of buffered documents, and of their units, from which they become a segment. The units are
 * about twice those of 32 typical documents.
 */
export const BUFFER_DOCUMENTS = 32
export const BUFFER_UNITS = 50_000

/** Share of dead documents above which a segment is rebuilt. */
const MAX_DEAD_SHARE = 0.25

export function nextMerge({ parts }: Collection): SegmentState[] | undefined {
  const sparse = parts.find(
    ({ segment, live }) => segment.documents - live > segment.documents * MAX_DEAD_SHARE,
  )
  if (sparse) return [sparse]
  const tiers = new Map<number, SegmentState[]>()
  for (const part of parts) {
    if (part.live > SEGMENT_DOCUMENTS / 2) continue
    const tier = Math.floor(Math.log(part.live / BUFFER_DOCUMENTS) / Math.log(FAN_IN) + 1e-9)
    const segments = tiers.get(Math.max(0, tier)) ?? []
    segments.push(part)
    tiers.set(Math.max(0, tier), segments)
  }
  for (const segments of tiers.values()) {
    if (segments.length < FAN_IN) continue
    segments.sort((a, b) => a.live - b.live)
    const chosen: SegmentState[] = []
    let total = 0
    for (const part of segments) {
      total += part.live
      if (total <= SEGMENT_DOCUMENTS) chosen.push(part)
    }
    if (chosen.length > 1) return chosen
  }
  return undefined
}
