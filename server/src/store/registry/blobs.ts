import { sql } from 'kysely'
import {
  columnsOf,
  type Db,
  type Fields,
  isPostgres,
  preparedFirst,
  toRow,
} from '../../db/query.ts'

const fields = ['digest', 'size', 'crc32', 'objectKey'] as const

export type BlobRecord = Pick<Fields<'blobs'>, (typeof fields)[number]>

/** Finds blobs; for an agent, those that it has sent, published or may read. */
export async function findBlobs(
  db: Db,
  digests: readonly string[],
  agentId?: string,
): Promise<Map<string, BlobRecord>> {
  if (digests.length === 0) return new Map()
  const rows = await db
    .selectFrom('blobs')
    .select(columnsOf('blobs', fields))
    .where('digest', 'in', [...new Set(digests)])
    .$if(agentId !== undefined, (query) =>
      query.where(sql<boolean>`(
        exists (select 1 from blob_uploads
          where digest = blobs.digest and agent_id = ${agentId})
        or exists (select 1 from version_files join skills on skills.id = skill_id
          join repositories on repositories.id = skills.repository_id
          where version_files.digest = blobs.digest and (skills.agent_id = ${agentId}
            or (skills.deleted_at is null and skills.state <> 'hidden'
              and (visibility = 'public' or exists (select 1 from members
                where organization_id = skills.agent_id and agent_id = ${agentId}))))))`),
    )
    .execute()
  return new Map(rows.map((row) => [row.digest, row]))
}

/** Inserts an unused blob. If it exists, returns false and restarts the retention if unused. */
export async function insertBlob(trx: Db, blob: BlobRecord, now: number): Promise<boolean> {
  const row = await trx
    .insertInto('blobs')
    .values({ ...toRow(blob, fields), spare_since: now })
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest')
    .executeTakeFirst()
  if (row) return true
  await trx
    .updateTable('blobs')
    .set({ spare_since: now })
    .where('digest', '=', blob.digest)
    .where('spare_since', 'is not', null)
    .execute()
  return false
}

/** Records that an agent has sent the bytes of a blob. Returns undefined if it has before. */
export const insertUpload = preparedFirst((db, upload: { digest: string; agentId: string }) =>
  db
    .insertInto('blob_uploads')
    .values(toRow(upload, ['digest', 'agentId']))
    .onConflict((conflict) => conflict.doNothing())
    .returning('digest'),
)

export const insertChunk = (trx: Db, digest: string, number: number, bytes: Uint8Array) =>
  trx.insertInto('blob_chunks').values({ digest, number, bytes }).execute()

export const readChunk = preparedFirst((db, at: { digest: string; number: number }) =>
  db
    .selectFrom('blob_chunks')
    .select('bytes')
    .where((eb) => eb.and({ digest: at.digest, number: at.number })),
)

export const markBlobsUsed = (trx: Db, digests: readonly string[]) =>
  trx
    .updateTable('blobs')
    .set({ spare_since: null })
    .where('digest', 'in', digests)
    .where('spare_since', 'is not', null)
    .execute()

export async function markBlobsUnused(trx: Db, skillIds: readonly string[], now: number) {
  if (skillIds.length === 0) return
  await trx
    .updateTable('blobs')
    .set({ spare_since: now })
    .where('digest', 'in', (eb) =>
      eb.selectFrom('version_files').select('digest').where('skill_id', 'in', skillIds),
    )
    .execute()
}

/**
 * Removes at most `limit` blobs that have been unused since `time`. Blobs that a version uses are
 * marked as used instead. Returns the number of blobs examined and the object keys to remove from
 * the object store.
 */
export async function deleteUnusedBlobs(trx: Db, time: number, limit: number) {
  let unused = trx
    .selectFrom('blobs')
    .select(columnsOf('blobs', fields))
    .where('spare_since', '<', time)
    .limit(limit)
  // A publish in progress locks the blobs that it uses.
  if (isPostgres(trx)) unused = unused.forUpdate().skipLocked()
  const digests = (await unused.execute()).map(({ digest }) => digest)
  if (digests.length === 0) return { seen: 0, objectKeys: [] }
  const removed = await trx
    .deleteFrom('blobs')
    .where('digest', 'in', digests)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('version_files')
            .select('digest')
            .whereRef('version_files.digest', '=', 'blobs.digest'),
        ),
      ),
    )
    .returning('object_key as objectKey')
    .execute()
  await markBlobsUsed(trx, digests)
  const objectKeys = removed.flatMap(({ objectKey }) => objectKey ?? [])
  return { seen: digests.length, objectKeys }
}

export const listBlobsInDatabase = (db: Db, after: string, limit: number): Promise<BlobRecord[]> =>
  db
    .selectFrom('blobs')
    .select(columnsOf('blobs', fields))
    .where('object_key', 'is', null)
    .where('digest', '>', after)
    .orderBy('digest')
    .limit(limit)
    .execute()

/** Returns false if the blob is deleted or was moved before. */
export async function moveToObject(trx: Db, digest: string, objectKey: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('blobs')
    .set({ object_key: objectKey })
    .where((eb) => eb.and({ digest, object_key: null }))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await trx.deleteFrom('blob_chunks').where('digest', '=', digest).execute()
  return true
}
