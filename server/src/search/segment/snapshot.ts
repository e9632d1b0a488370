import { z } from 'zod'
import type { CorpusStatistics } from '../lexicon/corpus-statistics.ts'
import type { Vocabulary } from '../lexicon/vocabulary.ts'
import type { Loaded, Saved, SnapshotPart } from '../snapshot-file.ts'
import type { Collection } from './collection.ts'
import type { PostingLists } from './segment.ts'

/** Returns the parts of an index that are not derived: copies, and the immutable segments. */
export function savedParts(
  vocabulary: Vocabulary,
  statistics: CorpusStatistics,
  { parts }: Collection,
): Saved {
  const { texts, ...columns } = vocabulary.save()
  const { pairs, ...lengths } = statistics.save()
  const saved: SnapshotPart[] = [{ name: 'texts', bytes: Buffer.from(texts.join('\n')) }]
  const save = (name: string, { buffer, byteOffset, byteLength }: ArrayBufferView) =>
    saved.push({ name, bytes: new Uint8Array(buffer, byteOffset, byteLength) })
  for (const [name, column] of Object.entries({ ...columns, pairs })) save(name, column)
  parts.forEach(({ segment: { documents, stems, heads, ...columns }, dead }, i) => {
    for (const [name, column] of Object.entries(columns)) save(`${name}-${i}`, column)
    for (const [name, lists] of Object.entries({ stems, heads })) {
      for (const [column, array] of Object.entries(lists)) save(`${name}.${column}-${i}`, array)
    }
    save(`dead-${i}`, dead.slice())
  })
  return { meta: { segments: parts.length, lengths }, parts: saved }
}

const Meta = z.object({
  segments: z.int().nonnegative(),
  lengths: z.object({ totals: z.array(z.number()), holders: z.array(z.number()) }),
})

/** Restores the result of `savedParts`. Throws if a part is missing or invalid. */
export function restoredParts({ meta, parts }: Loaded) {
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
    statistics: { pairs: new Uint16Array(bytesOf('pairs').slice().buffer), ...lengths },
    segments: Array.from({ length: segments }, (_, i) => {
      const words = (name: string) => new Uint32Array(bufferOf(bytesOf(`${name}-${i}`)))
      const uint16s = (name: string) => new Uint16Array(bufferOf(bytesOf(`${name}-${i}`)))
      const lists = (name: string): PostingLists => ({
        keys: words(`${name}.keys`),
        starts: words(`${name}.starts`),
        documents: uint16s(`${name}.documents`),
        levels: bytesOf(`${name}.levels-${i}`),
      })
      const slots = words('slots')
      const segment = {
        documents: slots.length,
        slots,
        nameHashes: words('nameHashes'),
        lengths: bytesOf(`lengths-${i}`),
        unitStarts: words('unitStarts'),
        units: uint16s('units'),
        stems: lists('stems'),
        heads: lists('heads'),
      }
      return { segment, dead: bytesOf(`dead-${i}`) }
    }),
  }
}

/** Returns the part's buffer if the part fills it, otherwise a copy. */
function bufferOf(bytes: Uint8Array): ArrayBufferLike {
  return bytes.buffer.byteLength === bytes.length ? bytes.buffer : bytes.slice().buffer
}
