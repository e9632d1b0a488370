import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { findVersionFiles } from '../../store/registry/files.ts'
import type { SkillRecord } from '../../store/registry/skill-record.ts'
import type { VersionRecord } from '../../store/registry/versions.ts'
import { installableMarkdown } from '../../text/skill-file/complete.ts'
import { readableVersion, type VersionQuery } from '../readable-version.ts'
import { type ArchiveDigest, type ArchiveKind, digestArchive } from './archive.ts'
import { entriesOf, manifestDigest } from './entries.ts'

export type OpenVersion = Awaited<ReturnType<typeof openVersion>>

/** Returns a version of a skill, by default the current one. Throws NOT_FOUND or GONE. */
export async function openVersion(ctx: RegistryContext, skill: SkillRecord, by: VersionQuery = {}) {
  const found = await readableVersion(ctx, skill, by)
  const { version, withdrawn, deprecated } = found
  const files = found.fileCount === 0 ? [] : await findVersionFiles(ctx.db.read, skill.id, version)
  // To complete the frontmatter may take 10 ms.
  await ctx.steps.pause(ctx.signal)
  const entries = entriesOf(ctx, found, files)
  const digest = manifestDigest(entries)
  // The stored digests are stale if this server completes the frontmatter differently than the
  // publishing one.
  const stored = found.manifestDigest === digest ? found : undefined
  return {
    version,
    withdrawn,
    deprecated,
    readme: { text: found.readme, digest: found.digest },
    verdict: found.verdict,
    findings: found.findings,
    /** The served SKILL.md. */
    markdown: installableMarkdown(found),
    /** All files including SKILL.md, sorted by the bytes of their paths. */
    files: entries,
    digest,
    archive: async (kind: ArchiveKind) =>
      (stored && knownArchive(stored, kind)) ?? digestArchive(kind, entries),
  }
}

function knownArchive(found: VersionRecord, kind: ArchiveKind): ArchiveDigest | undefined {
  const [digest, size] =
    kind === 'zip' ? [found.zipDigest, found.zipSize] : [found.tarDigest, found.tarSize]
  return digest === null || size === null ? undefined : { digest, size }
}
