import { ensureCapacity } from '../document/ensure-capacity.ts'
import { type DocumentView, STATS_BYTES } from '../document/forward-index.ts'
import { SEGMENT_DOCUMENTS, type Segment } from './segment.ts'

export interface SegmentState {
  readonly segment: Segment
  readonly dead: Uint8Array
  live: number
}

const NONE = 0xffffffff
const BUFFER = 0xfffe

export type Collection = ReturnType<typeof createCollection>

/** Creates the places of documents, which collections share. A slot is in one collection. */
export function createPlaces() {
  /** By slot: segment number in the high half, document in the low half. */
  let places = new Uint32Array(1024).fill(NONE)
  return {
    /** Segments by number, undefined where a segment was merged away. */
    numbered: [] as (SegmentState | undefined)[],
    placeOf: (slot: number) => (slot < places.length ? (places[slot] as number) : NONE),
    setPlace(slot: number, part: number, document: number): void {
      const length = places.length
      places = ensureCapacity(places, slot + 1, Uint32Array)
      if (places.length > length) places.fill(NONE, length)
      places[slot] = ((part << 16) | document) >>> 0
    },
    clear(slot: number): void {
      places[slot] = NONE
    },
  }
}

/**
 * Creates the documents of the index that the same readers see: a few new ones in a buffer, and
 * immutable segments. Removing a document from a segment marks it as dead; the others are live.
 * Merges drop dead documents and limit the number of segments.
 */
export function createCollection({ numbered, placeOf, setPlace, clear } = createPlaces()) {
  const parts: SegmentState[] = []
  const buffered: DocumentView[] = []
  const collection = {
    size: 0,
    /** The segments, unordered. Positions change with merges only. */
    parts,
    buffered,
    has: (slot: number) => placeOf(slot) !== NONE,
    find,
    add,
    remove,
    seal,
    replace,
    restore,
  }
  return collection

  function find(slot: number): DocumentView | undefined {
    const place = placeOf(slot)
    if (place === NONE) return undefined
    const document = place & 0xffff
    if (place >>> 16 === BUFFER) return buffered[document]
    return viewOf((numbered[place >>> 16] as SegmentState).segment, document)
  }

  function add(document: DocumentView): void {
    setPlace(document.slot, BUFFER, buffered.length)
    buffered.push(document)
    collection.size++
  }

  function remove(slot: number): void {
    const place = placeOf(slot)
    if (place === NONE) return
    clear(slot)
    collection.size--
    const document = place & 0xffff
    if (place >>> 16 === BUFFER) {
      const last = buffered.pop() as DocumentView
      if (last.slot === slot) return
      buffered[document] = last
      setPlace(last.slot, BUFFER, document)
      return
    }
    const part = numbered[place >>> 16] as SegmentState
    part.dead[document] = 1
    part.live--
    if (part.live === 0) drop(part)
  }

  function drop(part: SegmentState): void {
    numbered[numbered.indexOf(part)] = undefined
    parts.splice(parts.indexOf(part), 1)
  }

  function adopt(segment: Segment, isLive: (document: number) => boolean): void {
    const dead = new Uint8Array(segment.documents)
    let number = numbered.indexOf(undefined)
    if (number < 0) number = numbered.length
    const part: SegmentState = { segment, dead, live: 0 }
    for (let document = 0; document < segment.documents; document++) {
      if (isLive(document)) {
        setPlace(segment.slots[document] as number, number, document)
        part.live++
      } else dead[document] = 1
    }
    if (part.live === 0) return
    numbered[number] = part
    parts.push(part)
  }

  function seal(build: (documents: readonly DocumentView[]) => Segment): void {
    while (buffered.length > 0) {
      const segment = build(buffered.slice(0, SEGMENT_DOCUMENTS))
      adopt(segment, () => true)
      buffered.splice(0, SEGMENT_DOCUMENTS)
    }
  }

  function replace(from: readonly SegmentState[], segment: Segment): void {
    const numbers = new Set(from.map((part) => numbered.indexOf(part)))
    // Documents changed or removed during the merge are no longer in `from`.
    const isUnchanged = (document: number) => {
      const place = placeOf(segment.slots[document] as number)
      return place !== NONE && numbers.has(place >>> 16)
    }
    adopt(segment, isUnchanged)
    for (const part of from) if (parts.includes(part)) drop(part)
  }

  /** Adds a segment of a snapshot with its dead marks. */
  function restore(segment: Segment, dead: Uint8Array): void {
    adopt(segment, (document) => dead[document] === 0)
    collection.size = buffered.length + parts.reduce((sum, part) => sum + part.live, 0)
  }
}

export function viewOf(segment: Segment, document: number): DocumentView {
  const { slots, nameHashes, units, unitStarts, lengths } = segment
  return {
    slot: slots[document] as number,
    nameHash: nameHashes[document] as number,
    units,
    start: unitStarts[document] as number,
    end: unitStarts[document + 1] as number,
    lengths,
    lengthsAt: document * STATS_BYTES,
  }
}

/** The documents that a query reads. */
export type Documents = Pick<Collection, 'size' | 'parts' | 'buffered'>

export const liveDocumentsOf = ({ segment, dead }: SegmentState): DocumentView[] =>
  [...dead.keys()].flatMap((document) => (dead[document] === 0 ? viewOf(segment, document) : []))

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
    const key = Math.max(0, tier)
    tiers.set(key, [...(tiers.get(key) ?? []), part])
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
