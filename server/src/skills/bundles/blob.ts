import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../db/open.ts'
import type { RegistryContext } from '../../discovery/context.ts'
import type { ByteRange } from '../objects/object-store.ts'
import type { Spooled } from '../objects/spool.ts'
import { type BlobRecord, findBlobs, insertBlob, insertChunk, readChunk } from '../store/blobs.ts'

/** Size of the parts in which the database keeps bytes, and in which they are read. */
const chunkBytes = 256 * 1024

/**
 * Keeps bytes under their digest, unless they are kept already. `work` runs in the transaction of new
 * ones, and what it throws keeps nothing.
 */
export async function keepBlob(
  ctx: Pick<RegistryContext, 'clock' | 'db' | 'objects'>,
  digest: string,
  spooled: Spooled,
  work: (trx: Db) => Promise<void>,
): Promise<void> {
  const { objects } = ctx
  const isKnown = (await findBlobs(ctx.db.read, [digest])).has(digest)
  const objectKey = objects && !isKnown ? await objects.put(digest, spooled) : null
  const { size, crc32 } = spooled
  const isNew = await ctx.db.write(async (trx) => {
    if (!(await insertBlob(trx, { digest, size, crc32, objectKey }, ctx.clock.now()))) return false
    if (objectKey === null) await insertBytes(trx, digest, spooled)
    await work(trx)
    return true
  })
  // Somebody else has sent the same bytes meanwhile. Where the write failed the object stays: it may have been kept.
  if (!isNew && objectKey !== null) await objects?.remove(objectKey)
}

/** Writes bytes into the database, a part at a time. */
async function insertBytes(trx: Db, digest: string, spooled: Spooled): Promise<void> {
  for (let number = 0; number * chunkBytes < spooled.size; number++) {
    await insertChunk(trx, digest, number, spooled.read(number * chunkBytes, chunkBytes))
  }
}

/** Where bytes are read from. */
export interface BlobSource {
  readonly db: Pick<RegistryContext['db'], 'read'>
  readonly objects: RegistryContext['objects']
}

/** The bytes of a blob, or some of them, a part at a time. Throws where they are gone. */
export async function* openBlob(
  { db, objects }: BlobSource,
  { digest, size, objectKey }: BlobRecord,
  { start, end }: ByteRange = { start: 0, end: size },
): AsyncGenerator<Uint8Array> {
  if (objectKey !== null) {
    if (!objects) throw new Error(`${digest} is in an object store, and BLOB_URL names none.`)
    if (start < end) yield* objects.open(objectKey, { start, end })
    return
  }
  const first = Math.floor(start / chunkBytes)
  for (let number = first; number * chunkBytes < end; number++) {
    // SQLite answers at once: without a pause a large file would hold the event loop.
    if (number > first) await nextTurn()
    const { bytes } = (await readChunk(db.read, { digest, number })) ?? {}
    if (!bytes) throw new Error(`Part ${number} of ${digest} is missing.`)
    const offset = number * chunkBytes
    yield bytes.subarray(Math.max(0, start - offset), Math.min(bytes.length, end - offset))
  }
}
