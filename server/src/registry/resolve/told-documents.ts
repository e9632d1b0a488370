import type { Documents, LiveDocument, Part } from './collection.ts'
import { openSegment } from './segment.ts'
import type { WordNumbers } from './word-picker.ts'

/**
 * What another thread is told of the documents. Segments and their dead are shared memory; they and
 * live documents are sent once, and are known by their number from then on.
 */
export interface DocumentsMessage extends WordNumbers {
  size: number
  norms: Float64Array
  parts: {
    number: number
    living: number
    sent?: { buffer: SharedArrayBuffer; dead: Uint8Array }
  }[]
  live: { number: number; sent?: LiveDocument }[]
}

/** What such a thread knows, by the last message that it heard. */
export interface ToldDocuments extends Documents, WordNumbers {
  readonly norms: Float64Array
  hear(message: DocumentsMessage): void
}

/** Makes the messages for one thread; each tells what the documents are by now. */
export function createTeller(
  documents: Documents,
  words: WordNumbers,
  norms: () => Float64Array,
): () => DocumentsMessage {
  /** Numbers of what the last message named. */
  let told = new Map<Part | LiveDocument, number>()
  let last = 0
  return () => {
    const naming = new Map<Part | LiveDocument, number>()
    const nameNew = (each: Part | LiveDocument): boolean => {
      const known = told.get(each)
      naming.set(each, known ?? ++last)
      return known === undefined
    }
    const parts = documents.parts.map((part) => {
      const { segment, dead, living } = part
      const sent = nameNew(part) ? { buffer: segment.buffer, dead } : undefined
      return { number: naming.get(part) as number, living, ...(sent && { sent }) }
    })
    const live = documents.live.map((document) => {
      const { slot, units, lengths, sketch } = document
      const sent = nameNew(document) ? { slot, units, lengths, sketch } : undefined
      return { number: naming.get(document) as number, ...(sent && { sent }) }
    })
    told = naming
    const { count, lastStop } = words
    return { size: documents.size, count, lastStop, norms: norms(), parts, live }
  }
}

/** No documents, until the first message. */
export function createToldDocuments(): ToldDocuments {
  let known = NOTHING
  let parts = new Map<number, Part>()
  let live = new Map<number, LiveDocument>()
  /** The same, in their order. */
  let [allParts, allLive]: [Part[], LiveDocument[]] = [[], []]
  return {
    get size() {
      return known.size
    },
    get count() {
      return known.count
    },
    get lastStop() {
      return known.lastStop
    },
    get norms() {
      return known.norms
    },
    get parts() {
      return allParts
    },
    get live() {
      return allLive
    },
    hear,
  }

  function hear(message: DocumentsMessage): void {
    known = message
    parts = new Map(
      message.parts.map(({ number, living, sent }) => {
        const { segment, dead } = sent
          ? { segment: openSegment(sent.buffer), dead: sent.dead }
          : (parts.get(number) as Part)
        return [number, { segment, dead, living }]
      }),
    )
    live = new Map(
      message.live.map(({ number, sent }) => [number, sent ?? (live.get(number) as LiveDocument)]),
    )
    allParts = [...parts.values()]
    allLive = [...live.values()]
  }
}

const NOTHING: DocumentsMessage = {
  size: 0,
  count: 0,
  lastStop: 0,
  norms: new Float64Array(),
  parts: [],
  live: [],
}
