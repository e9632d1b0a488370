import { grown } from './growth.ts'
import { ALIVE, STRIDE } from './lengths.ts'
import type { ReadSkill } from './reader.ts'

/** Ends a section of a document's word sequence. */
export const BREAK = 0xffff
/** Entries from here on take two units: the high bits added to this, then the low 16. */
export const WIDE = 0xf000

/**
 * The documents by number, ascending in order of arrival: slot, length codes and the sequence of
 * words that pairs, explanations and removal read. Sequences lie in pages of 16-bit units.
 */
export interface Documents {
  /** The next number; numbers below it are alive or dead. */
  next: number
  live: number
  readonly slots: number[]
  readonly numberOf: Map<number, number>
  /** `STRIDE` bytes per document. */
  lengths: Uint8Array
  /** Hash of the whole name, for exact matches in search. */
  nameHash: Uint32Array
  /** After `open`: the sequence is `array[start]` up to, not including, `array[end]`. */
  array: Uint16Array
  start: number
  end: number
  open(document: number): void
  add(slot: number, read: ReadSkill): number
  remove(document: number): void
  /** Closes the gaps of dead documents; gives the new number of each old one, -1 for the dead. */
  renumber(): Int32Array
}

const PAGE = 1 << 16

export function createDocuments(): Documents {
  const pages: Uint16Array[] = []
  const pageUsed: number[] = []
  const pageLive: number[] = []
  const freePages: number[] = []
  let current = -1
  let pageOf = new Uint32Array(16)
  let startOf = new Uint32Array(16)
  let lengthOf = new Uint32Array(16)
  const documents: Documents = {
    next: 0,
    live: 0,
    slots: [],
    numberOf: new Map(),
    lengths: new Uint8Array(16 * STRIDE),
    nameHash: new Uint32Array(16),
    array: new Uint16Array(0),
    start: 0,
    end: 0,
    open,
    add,
    remove,
    renumber,
  }
  return documents

  function open(document: number): void {
    documents.array = pages[pageOf[document] as number] as Uint16Array
    documents.start = startOf[document] as number
    documents.end = documents.start + (lengthOf[document] as number)
  }

  function add(slot: number, read: ReadSkill): number {
    const document = documents.next++
    pageOf = grown(pageOf, document + 1, Uint32Array)
    startOf = grown(startOf, document + 1, Uint32Array)
    lengthOf = grown(lengthOf, document + 1, Uint32Array)
    documents.lengths = grown(documents.lengths, (document + 1) * STRIDE, Uint8Array)
    documents.nameHash = grown(documents.nameHash, document + 1, Uint32Array)
    documents.nameHash[document] = read.nameHash
    documents.lengths.set(read.codes, document * STRIDE)
    documents.lengths[document * STRIDE + ALIVE] = 1
    documents.slots[document] = slot
    documents.numberOf.set(slot, document)
    documents.live++
    store(document, read.sequence.subarray(0, read.sequenceLength))
    return document
  }

  function store(document: number, sequence: Uint16Array): void {
    if (current < 0 || (pageUsed[current] as number) + sequence.length > pageSize(current)) {
      current = freePages.pop() ?? pages.length
      pages[current] = new Uint16Array(Math.max(PAGE, sequence.length))
      pageUsed[current] = pageLive[current] = 0
    }
    const start = pageUsed[current] as number
    ;(pages[current] as Uint16Array).set(sequence, start)
    pageUsed[current] = start + sequence.length
    pageLive[current] = (pageLive[current] as number) + sequence.length
    pageOf[document] = current
    startOf[document] = start
    lengthOf[document] = sequence.length
  }

  function pageSize(page: number): number {
    return (pages[page] as Uint16Array).length
  }

  function remove(document: number): void {
    documents.numberOf.delete(documents.slots[document] as number)
    documents.lengths[document * STRIDE + ALIVE] = 0
    documents.live--
    const page = pageOf[document] as number
    pageLive[page] = (pageLive[page] as number) - (lengthOf[document] as number)
    if ((pageLive[page] as number) * 2 < (pageUsed[page] as number)) evacuate(page)
  }

  /** Moves what still lives out of a page that is half dead, and gives the page back. */
  function evacuate(page: number): void {
    if (page === current) {
      if ((pageUsed[page] as number) < PAGE / 2) return
      current = -1
    }
    for (let document = 0; document < documents.next; document++) {
      if (pageOf[document] !== page || documents.lengths[document * STRIDE + ALIVE] === 0) continue
      open(document)
      store(document, documents.array.subarray(documents.start, documents.end))
    }
    pages[page] = new Uint16Array(0)
    pageUsed[page] = pageLive[page] = 0
    freePages.push(page)
  }

  function renumber(): Int32Array {
    const to = new Int32Array(documents.next)
    let next = 0
    for (let document = 0; document < documents.next; document++) {
      const at = document * STRIDE
      if (documents.lengths[at + ALIVE] === 0) {
        to[document] = -1
        continue
      }
      to[document] = next
      const slot = documents.slots[document] as number
      documents.slots[next] = slot
      documents.numberOf.set(slot, next)
      documents.lengths.copyWithin(next * STRIDE, at, at + STRIDE)
      documents.nameHash[next] = documents.nameHash[document] as number
      pageOf[next] = pageOf[document] as number
      startOf[next] = startOf[document] as number
      lengthOf[next] = lengthOf[document] as number
      next++
    }
    documents.next = next
    documents.slots.length = next
    return to
  }
}
