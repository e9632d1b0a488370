import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../db/open.ts'
import type { RegistryContext } from '../../discovery/context.ts'
import { type BlobRecord, insertBlob, insertChunk, readChunk } from '../store/blobs.ts'
import type { ByteRange } from './entry.ts'
import type { Spooled } from './spool.ts'

const chunkBytes = 256 * 1024

/**
 * Stores bytes under their digest, unless they are stored already. `work` runs in the same
 * transaction as a new blob. If it throws, nothing is stored.
 */
export async function storeBlob(
  { db, clock }: Pick<RegistryContext, 'clock' | 'db'>,
  digest: string,
  { size, crc32, read }: Spooled,
  work: (trx: Db) => Promise<void>,
): Promise<void> {
  await db.write(async (trx) => {
    if (!(await insertBlob(trx, { digest, size, crc32 }, clock.now()))) return
    for (let number = 0; number * chunkBytes < size; number++) {
      await insertChunk(trx, digest, number, read(number * chunkBytes, chunkBytes))
    }
    await work(trx)
  })
}

/** Streams the bytes of a blob, or a range of them. Throws if they are missing. */
export async function* openBlob(
  { db }: { db: Pick<RegistryContext['db'], 'read'> },
  { digest, size }: BlobRecord,
  { start, end }: ByteRange = { start: 0, end: size },
): AsyncGenerator<Uint8Array> {
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
