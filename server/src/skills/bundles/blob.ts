import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../db/open.ts'
import type { RegistryContext } from '../../discovery/context.ts'
import type { ByteRange } from '../objects/object-store.ts'
import type { Spooled } from '../objects/spool.ts'
import { type BlobRecord, findBlobs, insertBlob, insertChunk, readChunk } from '../store/blobs.ts'

const chunkBytes = 256 * 1024

/**
 * Stores bytes under their digest, unless they are stored already. `work` runs in the same
 * transaction. If it throws, nothing is stored.
 */
export async function storeBlob(
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
    const isNew = await insertBlob(trx, { digest, size, crc32, objectKey }, ctx.clock.now())
    if (isNew && objectKey === null) await insertBytes(trx, digest, spooled)
    await work(trx)
    return isNew
  })
  // Another request stored the same bytes first. After a failed write the object stays, because the
  // commit may have succeeded.
  if (!isNew && objectKey !== null) await objects?.remove(objectKey)
}

async function insertBytes(trx: Db, digest: string, spooled: Spooled): Promise<void> {
  for (let number = 0; number * chunkBytes < spooled.size; number++) {
    await insertChunk(trx, digest, number, spooled.read(number * chunkBytes, chunkBytes))
  }
}

export interface BlobSource {
  readonly db: Pick<RegistryContext['db'], 'read'>
  readonly objects: RegistryContext['objects']
}

/** Streams the bytes of a blob, or a range of them. Throws if they are missing. */
export async function* openBlob(
  { db, objects }: BlobSource,
  { digest, size, objectKey }: BlobRecord,
  { start, end }: ByteRange = { start: 0, end: size },
): AsyncGenerator<Uint8Array> {
  if (objectKey !== null) {
    if (!objects) throw new Error(`${digest} is in an object store, but BLOB_URL is not set.`)
    if (start < end) yield* objects.open(objectKey, { start, end })
    return
  }
  const first = Math.floor(start / chunkBytes)
  for (let number = first; number * chunkBytes < end; number++) {
    // SQLite reads are synchronous, so a large file would block the event loop.
    if (number > first) await nextTurn()
    const { bytes } = (await readChunk(db.read, { digest, number })) ?? {}
    if (!bytes) throw new Error(`Part ${number} of ${digest} is missing.`)
    const offset = number * chunkBytes
    yield bytes.subarray(Math.max(0, start - offset), Math.min(bytes.length, end - offset))
  }
}
