import { MEASURES } from '../constants/constants.ts'
import { grown } from '../document/growth.ts'
import { SEGMENT_DOCUMENTS, type Segment } from './segment.ts'
import type { SourceDocument } from './segment-builder.ts'

/** A segment and which of its documents have died since it was built. */
export interface SegmentState {
  readonly segment: Segment
  /** 1 for each dead document. */
  readonly dead: Uint8Array
  living: number
}

const NONE = 0xffffffff
const LIVE = 0xfffe

export type Collection = ReturnType<typeof createCollection>

/**
 * The documents of the index: a few live ones, which change, and segments, which do not. A document
 * of a segment dies by a mark; its segment is rebuilt without it when a quarter is dead, and small
 * segments are merged, so that there are few of them.
 */
export function createCollection() {
  /** By slot: number of the part in the high half, document in the low. */
  let places = new Uint32Array(1024).fill(NONE)
  /** By number; a hole where a part was merged away. */
  const numbered: (SegmentState | undefined)[] = []
  const parts: SegmentState[] = []
  const live: SourceDocument[] = []
  let size = 0
  let liveUnits = 0
  return {
    get size() {
      return size
    },
    /** Units of the live documents together. */
    get liveUnits() {
      return liveUnits
    },
    /** Memory held besides segments and live documents. */
    get bytes() {
      return places.byteLength
    },
    /** The segments in no order; places stay while nothing is merged. */
    get parts(): readonly SegmentState[] {
      return parts
    },
    get live(): readonly SourceDocument[] {
      return live
    },
    has: (slot: number) => placeOf(slot) !== NONE,
    find,
    add,
    remove,
    seal,
    replace,
    restore,
  }

  function placeOf(slot: number): number {
    return slot < places.length ? (places[slot] as number) : NONE
  }

  function find(slot: number): SourceDocument | undefined {
    const place = placeOf(slot)
    if (place === NONE) return undefined
    const document = place & 0xffff
    if (place >>> 16 === LIVE) return live[document]
    return documentOf((numbered[place >>> 16] as SegmentState).segment, document)
  }

  function setPlace(slot: number, part: number, document: number): void {
    const length = places.length
    places = grown(places, slot + 1, Uint32Array)
    if (places.length > length) places.fill(NONE, length)
    places[slot] = ((part << 16) | document) >>> 0
  }

  function add(document: SourceDocument): void {
    setPlace(document.slot, LIVE, live.length)
    live.push(document)
    liveUnits += document.units.length
    size++
  }

  function remove(slot: number): void {
    const place = placeOf(slot)
    if (place === NONE) return
    places[slot] = NONE
    size--
    const document = place & 0xffff
    if (place >>> 16 === LIVE) {
      liveUnits -= (live[document] as SourceDocument).units.length
      const last = live.pop() as SourceDocument
      if (last.slot === slot) return
      live[document] = last
      setPlace(last.slot, LIVE, document)
      return
    }
    const part = numbered[place >>> 16] as SegmentState
    part.dead[document] = 1
    part.living--
    if (part.living === 0) drop(part)
  }

  function drop(part: SegmentState): void {
    numbered[numbered.indexOf(part)] = undefined
    parts.splice(parts.indexOf(part), 1)
  }

  function adopt(segment: Segment, isHere: (document: number) => boolean): void {
    const dead = new Uint8Array(segment.documents)
    let number = numbered.indexOf(undefined)
    if (number < 0) number = numbered.length
    const part: SegmentState = { segment, dead, living: 0 }
    for (let document = 0; document < segment.documents; document++) {
      if (!isHere(document)) {
        dead[document] = 1
        continue
      }
      setPlace(segment.slots[document] as number, number, document)
      part.living++
    }
    if (part.living === 0) return
    numbered[number] = part
    parts.push(part)
  }

  /** Makes segments of the live documents. */
  function seal(build: (documents: readonly SourceDocument[]) => Segment): void {
    while (live.length > 0) {
      const segment = build(live.slice(0, SEGMENT_DOCUMENTS))
      adopt(segment, () => true)
      live.splice(0, SEGMENT_DOCUMENTS)
    }
    liveUnits = 0
  }

  /** Puts a merged segment in the place of `from`, whose living documents it holds. */
  function replace(from: readonly SegmentState[], segment: Segment): void {
    const numbers = new Set(from.map((part) => numbered.indexOf(part)))
    // what was changed or removed meanwhile lives elsewhere by now, or nowhere
    const stayed = (document: number) => {
      const place = placeOf(segment.slots[document] as number)
      return place !== NONE && numbers.has(place >>> 16)
    }
    adopt(segment, stayed)
    for (const part of from) if (parts.includes(part)) drop(part)
  }

  /** Takes a segment of a snapshot in, with its dead. */
  function restore(segment: Segment, dead: Uint8Array): void {
    adopt(segment, (document) => dead[document] === 0)
    size = live.length + parts.reduce((sum, part) => sum + part.living, 0)
  }
}

/** The document of a segment as it was given; its arrays are views. */
function documentOf(segment: Segment, document: number): SourceDocument {
  const { unitStarts } = segment
  return {
    slot: segment.slots[document] as number,
    nameHash: segment.nameHashes[document] as number,
    lengths: segment.lengths.subarray(document * MEASURES, (document + 1) * MEASURES),
    units: segment.units.subarray(unitStarts[document], unitStarts[document + 1]),
  }
}

/** The documents of a segment that have not died; each is a view. */
export function livingOf({ segment, dead }: SegmentState): SourceDocument[] {
  const living: SourceDocument[] = []
  for (let document = 0; document < segment.documents; document++) {
    if (dead[document] === 0) living.push(documentOf(segment, document))
  }
  return living
}

/** A document to be read: shared arrays and its place in them, which costs no new arrays. */
export interface DocumentView {
  slot: number
  /** The document lies from `start` up to, not including, `end`. */
  units: Uint16Array
  start: number
  end: number
  lengths: Uint8Array
  lengthsAt: number
}

export function viewOf(segment: Segment, document: number): DocumentView {
  const { slots, units, unitStarts, lengths } = segment
  return {
    slot: slots[document] as number,
    units,
    start: unitStarts[document] as number,
    end: unitStarts[document + 1] as number,
    lengths,
    lengthsAt: document * MEASURES,
  }
}

export const viewOfDocument = ({ slot, units, lengths }: SourceDocument): DocumentView => ({
  slot,
  units,
  start: 0,
  end: units.length,
  lengths,
  lengthsAt: 0,
})
