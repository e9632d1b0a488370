import { LRUCache } from 'lru-cache'
import type { RegistryContext } from '../discovery/context.ts'
import { fail } from '../errors/failure.ts'
import type { ArchiveKind } from '../skills/bundles/archive.ts'
import type { FileEntry } from '../skills/bundles/entry.ts'
import { readBytes } from '../skills/bundles/read-bytes.ts'
import { type Release, releaseOf } from '../skills/bundles/release.ts'
import { readInstalledFields } from '../skills/frontmatter/complete.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'

/** A version as indexes name it. */
interface IndexedVersion {
  readonly version: number
  /** Of the front matter: 1 to 1,024 characters. */
  readonly description: string
  /** Of the SKILL.md with its front matter completed. */
  readonly digest: string
  /** In the byte order of their paths, SKILL.md included. */
  readonly paths: readonly string[]
  /** The archive of all files; undefined of a skill that is its SKILL.md alone. */
  readonly archive: { readonly kind: ArchiveKind; readonly digest: string } | undefined
}

/** A skill as indexes name it. */
export interface HandedOut extends IndexedVersion {
  readonly skill: SkillRecord
}

/** Memory for versions that an index has named lately, in UTF-16 units. */
const capacity = 16 * 1024 * 1024

/** What is known of versions, by skill and number: a version never changes, and a list asks for fifty at a time. */
const known = new LRUCache<string, IndexedVersion>({
  maxSize: capacity,
  sizeCalculation: ({ description, paths }) =>
    paths.reduce((sum, path) => sum + path.length + 20, description.length + 300),
})

/** The current version of a skill as indexes name it. Throws NOT_FOUND where it is gone by now. */
export async function handOut(ctx: RegistryContext, skill: SkillRecord): Promise<HandedOut> {
  const key = `${skill.id} ${skill.version}`
  const indexed = known.get(key) ?? (await indexVersion(await releaseOf(ctx, skill)))
  known.set(key, indexed)
  return { skill, ...indexed }
}

async function indexVersion(release: Release): Promise<IndexedVersion> {
  const { markdown, digest } = await readMarkdown(release.files)
  const paths = release.files.map(({ path }) => path)
  const kind = kindFor(paths)
  return {
    version: release.version,
    description: readInstalledFields(markdown)?.description ?? fail('NOT_FOUND'),
    digest,
    paths,
    archive:
      paths.length === 1 ? undefined : { kind, digest: (await release.archive(kind)).digest },
  }
}

/** The SKILL.md of a version as installers get it; of the current one by default. Throws NOT_FOUND. */
export async function handOutMarkdown(
  ctx: RegistryContext,
  skill: SkillRecord,
  version: number | undefined,
) {
  const release = await releaseOf(ctx, skill, version)
  return { version: release.version, ...(await readMarkdown(release.files)) }
}

/** Installers read the 100 bytes that tar has for a name, and not what pax says of a longer one. */
const kindFor = (paths: readonly string[]): ArchiveKind =>
  paths.some((path) => Buffer.byteLength(path) > 100) ? 'zip' : 'tarGz'

async function readMarkdown(files: readonly FileEntry[]) {
  const entry = files.find(({ path }) => path === 'SKILL.md') ?? fail('NOT_FOUND')
  const { buffer } = await readBytes(entry)
  return { markdown: Buffer.from(buffer).toString(), digest: entry.digest }
}
