import { setImmediate as nextTurn } from 'node:timers/promises'
import { bounds } from '@skillpass/contract'
import { requireLiveCaller } from '../../agents/api-keys.ts'
import { type ReportQuotas, spendQuotas } from '../../agents/quotas.ts'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import type { Db } from '../../db/open.ts'
import { refuseField } from '../../errors/failure.ts'
import type { OperatorContext } from '../../runtime/context.ts'
import type { ByteRange } from '../../runtime/object-store.ts'
import { type Spooled, spool } from '../../runtime/spool.ts'
import { dayLength } from '../../runtime/time.ts'
import type { KeyHolder } from '../../store/agents/api-keys.ts'
import * as store from '../../store/registry/blobs.ts'

const chunkBytes = 256 * 1024

/**
 * Stores bytes under their digest, unless they are stored already. `work` runs in the same
 * transaction. If it throws, nothing is stored.
 */
export async function storeBlob(
  ctx: OperatorContext,
  digest: string,
  spooled: Spooled,
  work: (trx: Db) => Promise<void>,
): Promise<void> {
  const { objects } = ctx
  const isKnown = (await store.findBlobs(ctx.db.read, [digest])).has(digest)
  const objectKey = objects && !isKnown ? await objects.put(digest, spooled) : null
  const { size, crc32 } = spooled
  const isNew = await ctx.db.write(async (trx) => {
    const isNew = await store.insertBlob(trx, { digest, size, crc32, objectKey }, ctx.clock.now())
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
    await store.insertChunk(trx, digest, number, spooled.read(number * chunkBytes, chunkBytes))
  }
}

interface BlobSource {
  readonly db: Pick<OperatorContext['db'], 'read'>
  readonly objects: OperatorContext['objects']
}

/** Streams the bytes of a blob, or a range of them. Throws if they are missing. */
export async function* openBlob(
  { db, objects }: BlobSource,
  { digest, size, objectKey }: store.BlobRecord,
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
    const { bytes } = (await store.readChunk(db.read, { digest, number })) ?? {}
    if (!bytes) throw new Error(`Part ${number} of ${digest} is missing.`)
    const offset = number * chunkBytes
    yield bytes.subarray(Math.max(0, start - offset), Math.min(bytes.length, end - offset))
  }
}

/**
 * Stores the bytes of a file under their SHA-256, 64 hexadecimal digits. Throws VALIDATION_ERROR if
 * the bytes have another digest. Blobs that no version uses are removed after a day.
 */
export async function uploadBlob(
  ctx: RegistryContext,
  agent: KeyHolder,
  { sha256, body }: { sha256: string; body: AsyncIterable<Uint8Array> },
  reportQuotas: ReportQuotas,
): Promise<{ digest: string; size: number }> {
  if (!/^[0-9a-f]{64}$/.test(sha256)) {
    refuseField('path', 'sha256', 'must be 64 lowercase hexadecimal digits')
  }
  return spool(body, bounds.blobBytes, async (spooled) => {
    const { sha256: received, size } = spooled
    if (received !== sha256) {
      const message = `the received bytes have the SHA-256 ${received} (${size} bytes), not ${sha256}`
      refuseField('body', '', message)
    }
    const digest = `sha256:${sha256}`
    await storeBlob(ctx, digest, spooled, async (trx) => {
      await requireLiveCaller(ctx, trx, agent)
      // Bytes of others cost the same, so that the quota does not tell that they exist.
      if (!(await store.insertUpload(trx, { digest, agentId: agent.id }))) return
      await spendQuotas(ctx, trx, agent.id, { files: size }, reportQuotas)
    })
    return { digest, size }
  })
}

/** Blobs per query or transaction, of up to 4 MiB each. */
const batch = 16

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

/** How long an uploaded blob may stay unused before it is removed, in ms. */
const unusedBlobLifetime = dayLength

export async function removeUnusedBlobs(ctx: OperatorContext) {
  const before = ctx.clock.now() - unusedBlobLifetime
  for (;;) {
    const { seen, objectKeys } = await ctx.db.write((trx) =>
      store.deleteUnusedBlobs(trx, before, batch),
    )
    for (const key of objectKeys) await ctx.objects?.remove(key)
    if (seen < batch) return
  }
}
