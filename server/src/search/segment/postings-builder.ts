import { grown } from '../document/growth.ts'
import { LEVELS, type PostingLists } from './postings.ts'

/** Postings placed in one step. */
const STEP = 200_000

/** Postings on their way into lists, in ascending order of documents. */
export type PostingsBuilder = ReturnType<typeof createPostingsBuilder>

/**
 * `numbers` is as long as the highest key and zero; it is zero again after `build`. Keys are numbered as
 * they come, so that a small segment does not pay for the whole vocabulary.
 */
export function createPostingsBuilder(room: number, numbers: () => Uint32Array) {
  const keys: number[] = []
  let numberOf = new Uint32Array(room)
  let documentOf = new Uint16Array(room)
  let levelOf = new Uint8Array(room)
  let count = 0
  /** By number and level: documents, then the place of the next one. */
  let places = new Uint32Array(64 * LEVELS)
  return { add, build }

  function add(key: number, document: number, level: number): void {
    const known = numbers()
    if (known[key] === 0) {
      known[key] = keys.push(key)
      places = grown(places, keys.length * LEVELS, Uint32Array)
    }
    if (count === numberOf.length) {
      numberOf = grown(numberOf, 2 * count + 1024, Uint32Array)
      documentOf = grown(documentOf, 2 * count + 1024, Uint16Array)
      levelOf = grown(levelOf, 2 * count + 1024, Uint8Array)
    }
    const number = (known[key] as number) - 1
    const place = number * LEVELS + level
    places[place] = (places[place] as number) + 1
    numberOf[count] = number
    documentOf[count] = document
    levelOf[count++] = level
  }

  /** The lists of everything added, in steps. To be called once. */
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
