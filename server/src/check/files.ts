import { createHash } from 'node:crypto'
import type { DatabaseToRead } from '../db/read-only.ts'
import { openBlob } from '../registry/bundles/blob.ts'
import { listBlobsHere } from '../registry/store/blobs.ts'
import { fine, type Outcome, some, wrong } from './finding.ts'

/** Blobs that are listed at once; their bytes are read a part at a time. */
const batch = 500

/** Whether the bytes of every file that the database keeps are those that its digest names. */
export async function checkFiles(db: DatabaseToRead, remedy: string): Promise<Outcome> {
  const changed: string[] = []
  let count = 0
  let after = ''
  for (;;) {
    const blobs = await listBlobsHere(db.read, after, batch)
    for (const blob of blobs) {
      const hash = createHash('sha256')
      const isRead = await readInto(hash, openBlob({ db, objects: undefined }, blob))
      if (!isRead || `sha256:${hash.digest('hex')}` !== blob.digest) changed.push(blob.digest)
    }
    count += blobs.length
    const last = blobs.at(-1)
    if (last === undefined || blobs.length < batch) break
    after = last.digest
  }
  if (changed.length === 0) return fine(`all ${count} files are the bytes that their digest names`)
  return wrong(`${changed.length} files are not what their digest names: ${some(changed)}`, remedy)
}

/** Reads all that is there; false where a part is missing. */
async function readInto(
  hash: { update(bytes: Uint8Array): unknown },
  bytes: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  try {
    for await (const chunk of bytes) hash.update(chunk)
    return true
  } catch {
    return false
  }
}
