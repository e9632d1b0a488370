import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
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

/** So many parts of an archive, of up to 64 KiB, are hashed in one turn of the event loop. */
const partsPerTurn = 64

/** Digest and size of an archive; makes it, and keeps nothing of it. */
export async function digestArchive(
  kind: ArchiveKind,
  entries: readonly FileEntry[],
): Promise<ArchiveDigest> {
  const hash = createHash('sha256')
  let [size, parts] = [0, 0]
  for await (const chunk of archives[kind](entries)) {
    hash.update(chunk)
    size += chunk.length
    // SQLite answers at once: without pauses hundreds of small files would hold the event loop.
    if (++parts % partsPerTurn === 0) await nextTurn()
  }
  return { digest: `sha256:${hash.digest('hex')}`, size }
}
