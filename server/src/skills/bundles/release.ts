import { LRUCache } from 'lru-cache'
import type { RegistryContext } from '../../discovery/context.ts'
import { fail } from '../../errors/failure.ts'
import { findRelease, listFiles } from '../store/files.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { type ArchiveDigest, type ArchiveKind, digestArchive } from './archive.ts'
import { entriesOf, manifestDigest } from './entries.ts'
import type { FileEntry } from './entry.ts'

export interface Release {
  readonly version: number
  /** All files including SKILL.md, sorted by the bytes of their paths. */
  readonly files: readonly FileEntry[]
  readonly digest: string
  archive(kind: ArchiveKind): Promise<ArchiveDigest>
}

/** Returns a version of a skill, by default the current one. Throws NOT_FOUND. */
export async function releaseOf(
  ctx: Pick<RegistryContext, 'db' | 'objects'>,
  { id, version: current }: Pick<SkillRecord, 'id' | 'version'>,
  version = current,
): Promise<Release> {
  const found =
    (await findRelease(ctx.db.read, id, version)) ??
    fail('NOT_FOUND', 'This skill has no such version.')
  const files = found.fileCount === 0 ? [] : await listFiles(ctx.db.read, id, version)
  const entries = entriesOf(ctx, found, files)
  const digest = manifestDigest(entries)
  return {
    version,
    files: entries,
    digest,
    archive: (kind) => describeArchive(kind, digest, entries),
  }
}

/** Digests of archives by kind and digest of the manifest, which determine every byte. */
const known = new LRUCache<string, ArchiveDigest>({ max: 10_000 })

async function describeArchive(
  kind: ArchiveKind,
  manifest: string,
  entries: readonly FileEntry[],
): Promise<ArchiveDigest> {
  const key = `${kind} ${manifest}`
  const archive = known.get(key) ?? (await digestArchive(kind, entries))
  known.set(key, archive)
  return archive
}
