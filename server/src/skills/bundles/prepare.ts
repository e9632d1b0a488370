import type { NewFiles } from '@skillpass/contract'
import type { z } from 'zod'
import type { RegistryContext } from '../../discovery/context.ts'
import { Failure } from '../../errors/failure.ts'
import { findBlobs } from '../store/blobs.ts'
import type { FileRecord, ReleaseRecord, releaseColumns } from '../store/files.ts'
import { digestArchive } from './archive.ts'
import { entriesOf, manifestDigest, type ReleaseText } from './entries.ts'

export type NewFile = z.output<typeof NewFiles>[number]

/** The file columns of a version row, null if the readme is the only file. */
export type FileColumns = Omit<
  Pick<ReleaseRecord, (typeof releaseColumns)[number]>,
  'slug' | 'description'
>

/**
 * Throws VALIDATION_ERROR with each file whose blob is missing or has another size. Blobs that
 * `agentId` may not use count as missing.
 */
export async function findFiles(
  { db }: Pick<RegistryContext, 'db'>,
  files: readonly NewFile[],
  agentId?: string,
): Promise<FileRecord[]> {
  const digests = files.map(({ digest }) => digest)
  const blobs = await findBlobs(db.read, digests, agentId)
  const details = files.flatMap(({ path, digest, size }, index) => {
    const blob = blobs.get(digest)
    if (!blob) return [missing(path, digest, index)]
    if (blob.size === size) return []
    const message = `${JSON.stringify(path)} has ${blob.size} bytes, not ${size}`
    return [{ in: 'body' as const, path: `files.${index}.size`, message }]
  })
  if (details.length > 0) throw new Failure('VALIDATION_ERROR', { details })
  return files.flatMap(({ path, executable, digest }) => {
    const blob = blobs.get(digest)
    return blob ? [{ ...blob, path, executable }] : []
  })
}

/** Throws VALIDATION_ERROR if blobs were removed while the version was prepared. */
export function refuseMissing(files: readonly FileRecord[], digests: readonly string[]): void {
  if (digests.length === 0) return
  const details = files.flatMap(({ path, digest }, index) =>
    digests.includes(digest) ? [missing(path, digest, index)] : [],
  )
  throw new Failure('VALIDATION_ERROR', { details })
}

const missing = (path: string, digest: string, index: number) => ({
  in: 'body' as const,
  path: `files.${index}.digest`,
  message: `${JSON.stringify(path)} has not been uploaded: send its bytes with PUT /api/v1/blobs/${digest.slice('sha256:'.length)}`,
})

/** Computes the file columns of a version. Reads all files to compute the archive digests. */
export async function prepareFiles(
  ctx: Pick<RegistryContext, 'db' | 'objects'>,
  text: ReleaseText,
  files: readonly FileRecord[],
): Promise<FileColumns> {
  if (files.length === 0) return noFileColumns
  const entries = entriesOf(ctx, text, files)
  const tar = await digestArchive('tarGz', entries)
  const zip = await digestArchive('zip', entries)
  return {
    fileCount: files.length,
    manifestDigest: manifestDigest(entries),
    tarDigest: tar.digest,
    tarSize: tar.size,
    zipDigest: zip.digest,
    zipSize: zip.size,
  }
}

/** Without files, archive digests are computed on request: few skills are ever installed. */
const noFileColumns: FileColumns = {
  fileCount: 0,
  manifestDigest: null,
  tarDigest: null,
  tarSize: null,
  zipDigest: null,
  zipSize: null,
}
