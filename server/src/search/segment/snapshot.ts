import { z } from 'zod'
import type { Loaded, Saved, SnapshotPart } from '../../snapshot/saved.ts'
import type { BigramFrequencies } from '../lexicon/bigram-frequencies.ts'
import type { LengthNorms, SavedLengthNorms } from '../lexicon/length-norms.ts'
import type { SavedVocabulary, Vocabulary } from '../lexicon/vocabulary.ts'
import type { Collection } from './collection.ts'
import { arraysOf, type Segment } from './segment.ts'

/** Returns the parts of an index that are not derived: copies, and the immutable segments. */
export function savedParts(index: {
  vocabulary: Vocabulary
  pairs: BigramFrequencies
  lengths: LengthNorms
  collection: Collection
}): Saved {
  const { vocabulary, pairs, lengths, collection } = index
  const { parts } = collection
  const { texts, ...columns } = vocabulary.save()
  const saved: SnapshotPart[] = [{ name: 'texts', bytes: Buffer.from(texts.join('\n')) }]
  for (const [name, column] of Object.entries({ ...columns, pairs: pairs.counts.slice() })) {
    saved.push({ name, bytes: new Uint8Array(column.buffer) })
  }
  parts.forEach(({ segment, dead }, i) => {
    for (const [name, array] of Object.entries(arraysOf(segment))) {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
      saved.push({ name: `${name}-${i}`, bytes })
    }
    saved.push({ name: `dead-${i}`, bytes: dead.slice() })
  })
  return { meta: { segments: parts.length, lengths: lengths.save() }, parts: saved }
}

export interface Restored {
  vocabulary: SavedVocabulary
  pairs: Uint16Array
  lengths: SavedLengthNorms
  segments: { segment: Segment; dead: Uint8Array }[]
}

const Meta = z.object({
  segments: z.int().nonnegative(),
  lengths: z.object({ totals: z.array(z.number()), holders: z.array(z.number()) }),
})

/** Restores the result of `savedParts`. Throws if a part is missing or invalid. */
export function restoredParts({ meta, parts }: Loaded): Restored {
  const { segments, lengths } = Meta.parse(meta)
  const bytesOf = (name: string): Uint8Array => {
    const bytes = parts.get(name)
    if (!bytes) throw new RangeError(`the part ${name} is missing`)
    return bytes
  }
  // Copy, because bytes may be unaligned and columns grow.
  const integers = (name: string) => new Uint32Array(bytesOf(name).slice().buffer)
  return {
    vocabulary: {
      texts: Buffer.from(bytesOf('texts')).toString().split('\n'),
      stems: integers('stems'),
      wordDf: integers('wordDf'),
      stemDf: integers('stemDf'),
    },
    pairs: new Uint16Array(bytesOf('pairs').slice().buffer),
    lengths,
    segments: Array.from({ length: segments }, (_, i) => {
      const words = (name: string) => new Uint32Array(bufferOf(bytesOf(`${name}-${i}`)))
      const uint16s = (name: string) => new Uint16Array(bufferOf(bytesOf(`${name}-${i}`)))
      const slots = words('slots')
      const segment = {
        documents: slots.length,
        slots,
        nameHashes: words('nameHashes'),
        lengths: bytesOf(`lengths-${i}`),
        unitStarts: words('unitStarts'),
        units: uint16s('units'),
        stems: {
          keys: words('stemKeys'),
          starts: words('stemStarts'),
          documents: uint16s('stemDocuments'),
          levels: bytesOf(`stemLevels-${i}`),
        },
        heads: {
          keys: words('headKeys'),
          starts: words('headStarts'),
          documents: uint16s('headDocuments'),
          levels: bytesOf(`headLevels-${i}`),
        },
      }
      return { segment, dead: bytesOf(`dead-${i}`) }
    }),
  }
}

/** Returns the part's buffer if the part fills it, otherwise a copy. */
function bufferOf(bytes: Uint8Array): ArrayBufferLike {
  return bytes.buffer.byteLength === bytes.length ? bytes.buffer : bytes.slice().buffer
}
