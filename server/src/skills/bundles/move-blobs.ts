import { bounds } from '@skillpass/contract'
import type { RegistryContext } from '../../discovery/context.ts'
import { spool } from '../objects/spool.ts'
import * as store from '../store/blobs.ts'
import { openBlob } from './blob.ts'

/** So many blobs are looked at together. */
const batch = 50

/**
 * Moves the bytes that the database still keeps to the object store, where there is one: those from
 * before BLOB_URL was set. Gives how many.
 */
export async function moveBlobs(ctx: RegistryContext): Promise<number> {
  const { objects, db } = ctx
  if (!objects) return 0
  let moved = 0
  let after = ''
  for (;;) {
    const blobs = await store.listBlobsHere(db.read, after, batch)
    for (const blob of blobs) {
      after = blob.digest
      const spooled = await spool(openBlob(ctx, blob), bounds.blobBytes)
      try {
        const key = await objects.put(blob.digest, spooled)
        const isMoved = await db.write((trx) => store.moveToObject(trx, blob.digest, key))
        // Another node was faster, or the blob has gone.
        if (isMoved) moved++
        else await objects.remove(key)
      } finally {
        await spooled.release()
      }
    }
    if (blobs.length < batch) return moved
  }
}
