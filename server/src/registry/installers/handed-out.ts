import { fail } from '../../errors/failure.ts'
import type { ArchiveKind } from '../bundles/archive.ts'
import type { FileEntry } from '../bundles/entry.ts'
import { readRelease } from '../bundles/release.ts'
import type { RegistryContext } from '../context.ts'
import { readInstalledFields } from '../frontmatter/installed-fields.ts'
import type { SkillRecord } from '../store/skill-record.ts'

/** A skill as installers get it. */
export interface HandedOut {
  readonly skill: SkillRecord
  readonly version: number
  /** Of the front matter: 1 to 1,024 characters. */
  readonly description: string
  /** The SKILL.md with its front matter completed. */
  readonly markdown: string
  /** Of the markdown. */
  readonly digest: string
  /** In the byte order of their paths, SKILL.md included. */
  readonly paths: readonly string[]
  /** The archive of all files; undefined of a skill that is its SKILL.md alone. */
  readonly archive: { readonly kind: ArchiveKind; readonly digest: string } | undefined
}

/** The current version of a skill as installers get it. Throws NOT_FOUND where it is gone by now. */
export async function handOut(ctx: RegistryContext, skill: SkillRecord): Promise<HandedOut> {
  const release = await releaseOf(ctx, skill, undefined)
  const { markdown, digest } = await readMarkdown(release.files)
  const paths = release.files.map(({ path }) => path)
  const kind = kindFor(paths)
  return {
    skill,
    version: release.version,
    description: readInstalledFields(markdown)?.description ?? skill.slug,
    markdown,
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

const releaseOf = async (ctx: RegistryContext, skill: SkillRecord, version = skill.version) =>
  (await readRelease(ctx, skill.id, version)) ??
  fail('NOT_FOUND', 'This skill has no such version.')

/** Installers read the 100 bytes that tar has for a name, and not what pax says of a longer one. */
const kindFor = (paths: readonly string[]): ArchiveKind =>
  paths.some((path) => Buffer.byteLength(path) > 100) ? 'zip' : 'tarGz'

async function readMarkdown(files: readonly FileEntry[]) {
  const entry = files.find(({ path }) => path === 'SKILL.md') ?? fail('NOT_FOUND')
  const parts: Uint8Array[] = []
  for await (const part of entry.open()) parts.push(part)
  return { markdown: Buffer.concat(parts).toString(), digest: entry.digest }
}
