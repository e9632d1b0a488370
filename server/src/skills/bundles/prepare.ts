import type { NewFiles } from '@skillpass/contract'
import type { z } from 'zod'
import type { RegistryContext } from '../../discovery/context.ts'
import { Failure } from '../../errors/failure.ts'
import { findBlobs } from '../store/blobs.ts'
import type { FileRecord } from '../store/files.ts'

export type NewFile = z.output<typeof NewFiles>[number]

/** Throws VALIDATION_ERROR with each file whose blob is missing or has another size. */
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
