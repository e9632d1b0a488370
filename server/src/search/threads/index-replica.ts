import type { WordNumbers } from '../query/word-picker.ts'
import type { Documents, LiveDocument, SegmentState } from '../segment/collection.ts'
import { openSegment } from '../segment/segment.ts'

/**
 * The changes of an index since the last update of a replica. Segments and their dead are shared memory; they
 * and live documents are sent once, and are known by their number from then on.
 */
export interface ReplicaUpdate extends WordNumbers {
  size: number
  norms: Float64Array
  parts: {
    number: number
    living: number
    sent?: { buffer: SharedArrayBuffer; dead: Uint8Array }
  }[]
  live: { number: number; sent?: LiveDocument }[]
}

/** What another thread ranks by: the index as of the last update that was applied. */
export interface IndexReplica extends Documents, WordNumbers {
  readonly norms: Float64Array
  apply(update: ReplicaUpdate): void
}

/** Makes the updates of one replica; each brings it to what the index is by then. */
export function createReplicaSender(
  documents: Documents,
  words: WordNumbers,
  norms: () => Float64Array,
): () => ReplicaUpdate {
  /** Numbers of what the last update named. */
  let known = new Map<SegmentState | LiveDocument, number>()
  let last = 0
  return () => {
    const named = new Map<SegmentState | LiveDocument, number>()
    const name = (each: SegmentState | LiveDocument) => {
      const number = known.get(each) ?? ++last
      named.set(each, number)
      return { number, isNew: !known.has(each) }
    }
    const parts = documents.parts.map((part) => {
      const { number, isNew } = name(part)
      const { segment, dead, living } = part
      return { number, living, ...(isNew && { sent: { buffer: segment.buffer, dead } }) }
    })
    const live = documents.live.map((document) => {
      const { number, isNew } = name(document)
      const { slot, units, lengths } = document
      return { number, ...(isNew && { sent: { slot, units, lengths } }) }
    })
    known = named
    const { count, lastStop } = words
    return { size: documents.size, count, lastStop, norms: norms(), parts, live }
  }
}

/** A replica without documents, until the first update. */
export function createIndexReplica(): IndexReplica {
  let parts = new Map<number, SegmentState>()
  let live = new Map<number, LiveDocument>()
  const replica = {
    size: 0,
    count: 0,
    lastStop: 0,
    norms: new Float64Array(),
    parts: [] as SegmentState[],
    live: [] as LiveDocument[],
    apply,
  }
  return replica

  function apply({ size, count, lastStop, norms, ...update }: ReplicaUpdate): void {
    parts = new Map(
      update.parts.map(({ number, living, sent }) => {
        const { segment, dead } = sent
          ? { segment: openSegment(sent.buffer), dead: sent.dead }
          : (parts.get(number) as SegmentState)
        return [number, { segment, dead, living }]
      }),
    )
    live = new Map(
      update.live.map(({ number, sent }) => [number, sent ?? (live.get(number) as LiveDocument)]),
    )
    Object.assign(replica, { size, count, lastStop, norms })
    replica.parts = [...parts.values()]
    replica.live = [...live.values()]
  }
}
