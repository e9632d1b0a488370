import type { WordNumbers } from '../query/word-picker.ts'
import type { Documents, LiveDocument, Part } from '../segment/collection.ts'
import { openSegment } from '../segment/segment.ts'

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
    const name = (each: Part | LiveDocument) => {
      const known = told.get(each)
      const number = known ?? ++last
      naming.set(each, number)
      return { number, isNew: known === undefined }
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
    told = naming
    const { count, lastStop } = words
    return { size: documents.size, count, lastStop, norms: norms(), parts, live }
  }
}

/** No documents, until the first message. */
export function createToldDocuments(): ToldDocuments {
  let parts = new Map<number, Part>()
  let live = new Map<number, LiveDocument>()
  const told = {
    size: 0,
    count: 0,
    lastStop: 0,
    norms: new Float64Array(),
    parts: [] as Part[],
    live: [] as LiveDocument[],
    hear,
  }
  return told

  function hear({ size, count, lastStop, norms, ...message }: DocumentsMessage): void {
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
    Object.assign(told, { size, count, lastStop, norms })
    told.parts = [...parts.values()]
    told.live = [...live.values()]
  }
}
