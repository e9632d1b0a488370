import { bounds } from '@skillpass/contract'
import type { RegistryContext } from '../../discovery/context.ts'
import { spool } from '../objects/spool.ts'
import * as store from '../store/blobs.ts'
import { openBlob } from './blob.ts'

const batch = 50

/** Moves blobs to the object store, if BLOB_URL names one. Returns their number. */
export async function moveBlobs(ctx: RegistryContext): Promise<number> {
  const { objects, db } = ctx
  if (!objects) return 0
  let moved = 0
  let after = ''
  for (;;) {
    const blobs = await store.listBlobsInDatabase(db.read, after, batch)
    for (const blob of blobs) {
      after = blob.digest
      const isMoved = await spool(openBlob(ctx, blob), bounds.blobBytes, async (spooled) => {
        const key = await objects.put(blob.digest, spooled)
        const isFirst = await db.write((trx) => store.moveToObject(trx, blob.digest, key))
        // Another node moved the blob first, or it has been deleted.
        if (!isFirst) await objects.remove(key)
        return isFirst
      })
      if (isMoved) moved++
    }
    if (blobs.length < batch) return moved
  }
}
