import { ensureCapacity } from '../document/ensure-capacity.ts'
import { LEVELS, type PostingLists } from './postings.ts'

const STEP = 200_000

/** Collects postings, in ascending order of documents, and builds posting lists. */
export type PostingsBuilder = ReturnType<typeof createPostingsBuilder>

/**
 * Keys are renumbered in order of appearance, so that a small segment needs no arrays as long as
 * the vocabulary. `numbers` has an entry for each key. It must be zero, and `build` clears it.
 */
export function createPostingsBuilder(room: number, numbers: () => Uint32Array) {
  const keys: number[] = []
  let numberOf = new Uint32Array(room)
  let documentOf = new Uint16Array(room)
  let levelOf = new Uint8Array(room)
  let count = 0
  /** By key number and level: the document count, then the next position. */
  let places = new Uint32Array(64 * LEVELS)
  return { add, build }

  function add(key: number, document: number, level: number): void {
    const known = numbers()
    if (known[key] === 0) {
      known[key] = keys.push(key)
      places = ensureCapacity(places, keys.length * LEVELS, Uint32Array)
    }
    if (count === numberOf.length) {
      numberOf = ensureCapacity(numberOf, 2 * count + 1024, Uint32Array)
      documentOf = ensureCapacity(documentOf, 2 * count + 1024, Uint16Array)
      levelOf = ensureCapacity(levelOf, 2 * count + 1024, Uint8Array)
    }
    const number = (known[key] as number) - 1
    const place = number * LEVELS + level
    places[place] = (places[place] as number) + 1
    numberOf[count] = number
    documentOf[count] = document
    levelOf[count++] = level
  }

  /** Builds the posting lists in steps. Call it once. */
  function* build(): Generator<void, PostingLists> {
    const sorted = Uint32Array.from(keys).sort()
    const starts = new Uint32Array(keys.length + 1)
    yield
    const known = numbers()
    let end = 0
    sorted.forEach((key, i) => {
      const number = (known[key] as number) - 1
      known[key] = 0
      starts[i] = end
      for (let level = LEVELS - 1; level >= 0; level--) {
        const place = number * LEVELS + level
        const documents = places[place] as number
        places[place] = end
        end += documents
      }
    })
    starts[keys.length] = end
    const documents = new Uint16Array(count)
    const levels = new Uint8Array(count)
    for (let i = 0; i < count; i++) {
      if (i % STEP === 0) yield
      const place = (numberOf[i] as number) * LEVELS + (levelOf[i] as number)
      const at = places[place] as number
      places[place] = at + 1
      documents[at] = documentOf[i] as number
      levels[at] = levelOf[i] as number
    }
    return { keys: sorted, starts, documents, levels }
  }
}
