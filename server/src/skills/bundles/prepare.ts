import type { NewFiles } from '@skillpass/contract'
import type { z } from 'zod'
import type { RegistryContext } from '../../discovery/context.ts'
import { Failure } from '../../errors/failure.ts'
import { findBlobs } from '../store/blobs.ts'
import type { FileRecord, ReleaseRecord, releaseColumns } from '../store/files.ts'
import { digestArchive } from './archive.ts'
import { entriesOf, manifestDigest, type ReleaseText } from './entries.ts'

/** A file beside the readme, as a publisher names it. */
export type NewFile = z.output<typeof NewFiles>[number]

/** What the row of a version holds of its files; nulls where there is the readme alone. */
export type FileColumns = Omit<
  Pick<ReleaseRecord, (typeof releaseColumns)[number]>,
  'slug' | 'description'
>

/** Looks the bytes of files up. VALIDATION_ERROR names each that is missing or of another size. */
export async function findFiles(
  { db }: Pick<RegistryContext, 'db'>,
  files: readonly NewFile[],
): Promise<FileRecord[]> {
  const blobs = await findBlobs(
    db.read,
    files.map(({ digest }) => digest),
  )
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

/** Refuses files whose bytes were forgotten while the version was made ready. */
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
  message: `${JSON.stringify(path)} has no bytes here: send them with PUT /api/v1/blobs/${digest.slice('sha256:'.length)}`,
})

/** Makes the files of a version ready: reads all of them for the digests of the archives. */
export async function prepareFiles(
  ctx: Pick<RegistryContext, 'db' | 'objects'>,
  text: ReleaseText,
  files: readonly FileRecord[],
): Promise<FileColumns> {
  if (files.length === 0) return readmeAlone
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

/** Digests of a readme alone are made when they are asked for: most skills are never installed. */
const readmeAlone: FileColumns = {
  fileCount: 0,
  manifestDigest: null,
  tarDigest: null,
  tarSize: null,
  zipDigest: null,
  zipSize: null,
}
