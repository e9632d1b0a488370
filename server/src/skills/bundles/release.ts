import type { RegistryContext } from '../../discovery/context.ts'
import { fail } from '../../errors/failure.ts'
import type { LintWarning, Verdict } from '../../moderation/lint/types.ts'
import { runStep } from '../../runtime/run-step.ts'
import { findRelease, listFiles, type ReleaseRecord } from '../store/files.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { type ArchiveDigest, type ArchiveKind, digestArchive } from './archive.ts'
import { entriesOf, type FileEntry, manifestDigest } from './entries.ts'

export interface Release {
  readonly version: number
  readonly verdict: Verdict
  readonly warnings: readonly LintWarning[]
  /** All files including SKILL.md, sorted by the bytes of their paths. */
  readonly files: readonly FileEntry[]
  readonly digest: string
  archive(kind: ArchiveKind): Promise<ArchiveDigest>
}

/** Returns a version of a skill, by default the current one. Throws NOT_FOUND. */
export async function releaseOf(
  ctx: Pick<RegistryContext, 'db' | 'objects' | 'signal'>,
  { id, version: current }: Pick<SkillRecord, 'id' | 'version'>,
  version = current,
): Promise<Release> {
  const found =
    (await findRelease(ctx.db.read, id, version)) ??
    fail('NOT_FOUND', 'This skill has no such version.')
  const files = found.fileCount === 0 ? [] : await listFiles(ctx.db.read, id, version)
  // To complete the frontmatter may take 10 ms.
  const entries = await runStep(() => entriesOf(ctx, found, files), ctx.signal)
  const digest = manifestDigest(entries)
  // The stored digests are stale if this server completes the frontmatter differently than the
  // publishing one.
  const stored = found.manifestDigest === digest ? found : undefined
  return {
    version,
    verdict: found.verdict,
    warnings: found.findings,
    files: entries,
    digest,
    archive: async (kind) => (stored && knownArchive(stored, kind)) ?? digestArchive(kind, entries),
  }
}

function knownArchive(found: ReleaseRecord, kind: ArchiveKind): ArchiveDigest | undefined {
  const [digest, size] =
    kind === 'zip' ? [found.zipDigest, found.zipSize] : [found.tarDigest, found.tarSize]
  return digest === null || size === null ? undefined : { digest, size }
}
