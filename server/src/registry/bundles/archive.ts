import { createHash } from 'node:crypto'
import type { FileEntry } from './entry.ts'
import { tarGz } from './tar.ts'
import { zip } from './zip.ts'

/** What archives are known by before they are made. */
export interface ArchiveDigest {
  readonly digest: string
  /** Bytes. */
  readonly size: number
}

/** The kinds of archives, by what makes them. */
export const archives = { tarGz, zip } as const

export type ArchiveKind = keyof typeof archives

/** What archives are called below the address of a skill. */
export const archiveNames = { tarGz: 'archive.tar.gz', zip: 'archive.zip' } as const

/** Digest and size of an archive; makes it, and keeps nothing of it. */
export async function digestArchive(
  kind: ArchiveKind,
  entries: readonly FileEntry[],
): Promise<ArchiveDigest> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of archives[kind](entries)) {
    hash.update(chunk)
    size += chunk.length
  }
  return { digest: `sha256:${hash.digest('hex')}`, size }
}
