import { LRUCache } from 'lru-cache'
import type { RegistryContext } from '../discovery/context.ts'
import { fail } from '../errors/failure.ts'
import { runStep } from '../runtime/run-step.ts'
import type { ArchiveKind } from '../skills/bundles/archive.ts'
import { type FileEntry, readBytes } from '../skills/bundles/entries.ts'
import { type Release, releaseOf } from '../skills/bundles/release.ts'
import { readInstalledFields } from '../skills/frontmatter/complete.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'
import { findScope, type Scope } from './scope.ts'

interface IndexedVersion {
  readonly version: number
  /** The description of the frontmatter, 1 to 1,024 characters. */
  readonly description: string
  /** Digest of the SKILL.md with completed frontmatter. */
  readonly digest: string
  /** Paths of all files including SKILL.md, sorted by bytes. */
  readonly paths: readonly string[]
  /** Archive of all files, or undefined if SKILL.md is the only one. */
  readonly archive: { readonly kind: ArchiveKind; readonly digest: string } | undefined
}

interface IndexEntry extends IndexedVersion {
  readonly skill: SkillRecord
}

/** Size of the cache, in UTF-16 units. */
const capacity = 16 * 1024 * 1024

/** Cached index entries by skill and version. Versions are immutable, and an index has up to 50. */
const known = new LRUCache<string, IndexedVersion>({
  maxSize: capacity,
  sizeCalculation: ({ description, paths }) =>
    paths.reduce((sum, path) => sum + path.length + 20, description.length + 300),
})

/** Returns the entry of a skill's current version. Throws NOT_FOUND for a deleted skill. */
async function indexEntryOf(ctx: RegistryContext, skill: SkillRecord): Promise<IndexEntry> {
  const key = `${skill.id} ${skill.version}`
  const indexed = known.get(key) ?? (await indexVersion(await releaseOf(ctx, skill)))
  known.set(key, indexed)
  return { skill, ...indexed }
}

async function indexVersion(release: Release): Promise<IndexedVersion> {
  const { markdown, digest } = await readMarkdown(release.files)
  const fields = await runStep(() => readInstalledFields(markdown))
  const paths = release.files.map(({ path }) => path)
  const kind = kindFor(paths)
  return {
    version: release.version,
    description: fields?.description ?? fail('NOT_FOUND'),
    digest,
    paths,
    archive:
      paths.length === 1 ? undefined : { kind, digest: (await release.archive(kind)).digest },
  }
}

export interface ScopeIndex {
  readonly scope: Scope
  readonly skills: readonly IndexEntry[]
  /** Number of skills in the scope, including those that the index omits. */
  readonly total: number
}

/** Returns the index of a scope, or a moved skill. Throws like `findScope`. */
export async function indexScope(
  ctx: RegistryContext,
  scope: Scope,
): Promise<ScopeIndex | { moved: SkillRecord }> {
  const found = await findScope(ctx, scope)
  if ('moved' in found) return found
  const skills: IndexEntry[] = []
  for (const skill of found.skills) skills.push(await indexEntryOf(ctx, skill))
  return { scope, skills, total: found.total }
}

/** Returns the served SKILL.md of a version, by default the current one. Throws NOT_FOUND. */
export async function servedMarkdown(
  ctx: RegistryContext,
  skill: SkillRecord,
  version: number | undefined,
) {
  const release = await releaseOf(ctx, skill, version)
  return { release, ...(await readMarkdown(release.files)) }
}

/** Installers ignore pax headers, so paths above the 100 bytes of a tar name require zip. */
const kindFor = (paths: readonly string[]): ArchiveKind =>
  paths.some((path) => Buffer.byteLength(path) > 100) ? 'zip' : 'tarGz'

async function readMarkdown(files: readonly FileEntry[]) {
  const entry = files.find(({ path }) => path === 'SKILL.md') ?? fail('NOT_FOUND')
  const { buffer } = await readBytes(entry)
  return { markdown: Buffer.from(buffer).toString(), digest: entry.digest }
}
