import { columnsOf, type Db, isPostgres } from '../../db/query.ts'
import { type BlobRecord, markBlobsUsed } from './blobs.ts'

/** A file of a version other than the readme, with its blob. */
export interface FileRecord extends BlobRecord {
  readonly path: string
  readonly executable: boolean
}

/** Lists the files of a version in no particular order. */
export async function findVersionFiles(
  db: Db,
  skillId: string,
  version: number,
): Promise<FileRecord[]> {
  const rows = await db
    .selectFrom('version_files')
    .innerJoin('blobs', 'blobs.digest', 'version_files.digest')
    .select(columnsOf('version_files', ['path', 'executable']))
    .select(columnsOf('blobs', ['digest', 'size', 'crc32', 'objectKey']))
    .where((eb) => eb.and({ 'version_files.skill_id': skillId, 'version_files.version': version }))
    .execute()
  return rows.map((row) => ({ ...row, executable: row.executable === 1 }))
}

type NewFile = Pick<FileRecord, 'path' | 'digest' | 'executable'>

/** Inserts files and marks their blobs as used, or returns the digests of missing blobs. */
export async function insertFiles(
  trx: Db,
  skillId: string,
  version: number,
  files: readonly NewFile[],
): Promise<string[]> {
  if (files.length === 0) return []
  const digests = [...new Set(files.map(({ digest }) => digest))]
  let query = trx.selectFrom('blobs').select('digest').where('digest', 'in', digests)
  // Prevent removal of the blobs before this transaction commits.
  if (isPostgres(trx)) query = query.forKeyShare()
  const known = new Set((await query.execute()).map(({ digest }) => digest))
  const missing = digests.filter((digest) => !known.has(digest))
  if (missing.length > 0) return missing
  await markBlobsUsed(trx, digests)
  await trx
    .insertInto('version_files')
    .values(
      files.map(({ path, digest, executable }) => ({
        skill_id: skillId,
        version,
        path,
        digest,
        executable: executable ? (1 as const) : (0 as const),
      })),
    )
    .execute()
  return []
}
