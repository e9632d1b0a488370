import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FileEntry } from './entry.ts'
import { tarGz } from './tar.ts'
import { zip } from './zip.ts'

export interface ArchiveDigest {
  readonly digest: string
  /** Bytes. */
  readonly size: number
}

export const archives = { tarGz, zip } as const

export type ArchiveKind = keyof typeof archives

export const archiveNames = { tarGz: 'archive.tar.gz', zip: 'archive.zip' } as const

/** Chunks of an archive, of up to 64 KiB, that are hashed per turn of the event loop. */
const partsPerTurn = 64

export async function digestArchive(
  kind: ArchiveKind,
  entries: readonly FileEntry[],
): Promise<ArchiveDigest> {
  const hash = createHash('sha256')
  let [size, parts] = [0, 0]
  for await (const chunk of archives[kind](entries)) {
    hash.update(chunk)
    size += chunk.length
    // SQLite reads are synchronous, so hundreds of small files would block the event loop.
    if (++parts % partsPerTurn === 0) await nextTurn()
  }
  return { digest: `sha256:${hash.digest('hex')}`, size }
}
