import { LRUCache } from 'lru-cache'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { searchSkills } from '../catalogue/search.ts'
import { fail } from '../errors/failure.ts'
import type { ArchiveKind } from '../skills/bundles/archive.ts'
import { type FileEntry, readBytes } from '../skills/bundles/entries.ts'
import { type OpenVersion, openVersion } from '../skills/bundles/open-version.ts'
import { findMoved, findMovedRepository } from '../skills/moves.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { isInstallableSlug, readInstalledFields } from '../text/skill-file/complete.ts'

export interface Scope {
  owner: string
  repo?: string | undefined
  skill?: string | undefined
}

/**
 * Maximum number of skills in an index. Installers download every entry before they ask which to
 * install. 50 entries allow ten indexes per address within the download limit.
 */
export const indexSize = 50

/** Skills that are searched for installable ones. */
const candidates = 4 * indexSize

/**
 * Returns the installable skills of a scope, most starred first, or the skill that moved away from
 * its address. Each slug occurs once, because installers would overwrite the first skill with the
 * second.
 *
 * Throws NOT_FOUND without installable skills, or the error for a hidden skill.
 */
async function findScope(
  ctx: RegistryContext,
  { owner, repo, skill: slug }: Scope,
): Promise<{ skills: readonly SkillRecord[]; total: number } | { moved: SkillRecord }> {
  if (repo !== undefined && slug !== undefined) {
    const skill = ctx.catalogue.at(owner, repo, slug)
    if (!skill) return { moved: await findMoved(ctx, { owner, repo, skill: slug }) }
    if (!isInstallableSlug(skill.slug)) {
      const form = '1 to 64 characters of a-z, 0-9 and single inner hyphens'
      fail('NOT_FOUND', `Installers cannot install the slug ${skill.slug}. It must be ${form}.`)
    }
    return { skills: [skill], total: 1 }
  }
  const query = { owner, repo, sort: 'stars' as const, page: 1, limit: candidates }
  const { skills: found, total } = searchSkills(ctx, query)
  const bySlug = new Map<string, SkillRecord>()
  for (const skill of found) {
    if (isInstallableSlug(skill.slug) && !bySlug.has(skill.slug)) bySlug.set(skill.slug, skill)
  }
  const skills = [...bySlug.values()].slice(0, indexSize)
  if (skills.length === 0) {
    const moved = repo === undefined ? undefined : await findMovedRepository(ctx, { owner, repo })
    if (moved) return findScope(ctx, { owner: moved.owner, repo: moved.name })
    const where = [owner, repo].filter((part) => part !== undefined).join('/')
    fail('NOT_FOUND', `There are no installable skills at ${where}.`)
  }
  return { skills, total }
}

export async function findInstallable(
  ctx: RegistryContext,
  { q, limit, owner }: { q: string; limit: number; owner?: string | undefined },
): Promise<readonly SkillRecord[]> {
  // Installers search while a person types.
  const query = { q, isTyping: true, owner, sort: 'stars' as const, page: 1, limit: 2 * limit }
  const { skills } = searchSkills(ctx, query)
  return skills.filter(({ slug }) => isInstallableSlug(slug)).slice(0, limit)
}

/** Returns a skill of a scope by slug. Throws NOT_FOUND if it is not in the index. */
export async function findInScope(ctx: RegistryContext, scope: Scope, slug: string) {
  const found = await findScope(ctx, scope)
  if ('moved' in found) return found
  const skill = found.skills.find((one) => one.slug === slug)
  return skill ?? fail('NOT_FOUND', `The index has no skill ${slug}.`)
}

const pageSize = 500

/** Suggestions in an error for a missing owner. */
const maxSuggestions = 5

/**
 * Returns an owner's skill with this slug, the most starred if there are several. Throws NOT_FOUND,
 * also without an owner: otherwise a publisher could replace a skill by reusing its slug.
 */
export async function findBySlug(ctx: RegistryContext, slug: string, owner: string | undefined) {
  if (owner === undefined) return failWithoutOwner(ctx, slug)
  const wanted = slug.toLowerCase()
  for (let page = 1; ; page++) {
    const query = { owner, sort: 'stars' as const, page, limit: pageSize }
    const { skills, hasMore } = searchSkills(ctx, query)
    const found = skills.find((skill) => skill.slug === wanted)
    if (found && isInstallableSlug(found.slug)) return found
    if (!hasMore) fail('NOT_FOUND', `${owner} has no installable skill ${slug}.`)
  }
}

async function failWithoutOwner(ctx: RegistryContext, slug: string): Promise<never> {
  const found = await findInstallable(ctx, { q: slug, limit: maxSuggestions })
  const same = found.filter((skill) => skill.slug === slug.toLowerCase())
  const names = same.map(({ repository, slug }) => `${repository.owner}/${slug}`)
  const hint = names.length === 0 ? '' : `, such as ${names.join(', ')}`
  fail('NOT_FOUND', `Add the owner to the name of the skill${hint}.`)
}

/** Size of the cache, in UTF-16 units. */
const capacity = 16 * 1024 * 1024

type IndexedVersion = Awaited<ReturnType<typeof indexVersion>>

async function indexVersion({ steps }: RegistryContext, version: OpenVersion) {
  const { markdown, digest } = await readMarkdown(version.files)
  await steps.pause()
  const fields = readInstalledFields(markdown)
  const paths = version.files.map(({ path }) => path)
  const kind = kindFor(paths)
  return {
    version: version.version,
    /** The description of the frontmatter, 1 to 1,024 characters. */
    description: fields?.description ?? fail('NOT_FOUND'),
    /** Digest of the SKILL.md with completed frontmatter. */
    digest,
    paths,
    /** Archive of all files, or undefined if SKILL.md is the only one. */
    archive:
      paths.length === 1 ? undefined : { kind, digest: (await version.archive(kind)).digest },
  }
}

export interface ScopeIndex {
  readonly scope: Scope
  readonly skills: readonly ({ readonly skill: SkillRecord } & IndexedVersion)[]
  /** Includes skills that the index omits. */
  readonly total: number
}

/**
 * Creates a function that returns the index of a scope, or a moved skill. It throws like
 * `findScope`, and NOT_FOUND if a skill was deleted meanwhile.
 */
export function createScopeIndex() {
  /** By skill and version. Versions are immutable, and an index has up to 50. */
  const indexed = new LRUCache<string, IndexedVersion>({
    maxSize: capacity,
    sizeCalculation: ({ description, paths }) =>
      paths.reduce((sum, path) => sum + path.length + 20, description.length + 300),
  })
  return async (
    ctx: RegistryContext,
    scope: Scope,
  ): Promise<ScopeIndex | { moved: SkillRecord }> => {
    const found = await findScope(ctx, scope)
    if ('moved' in found) return found
    const skills: ScopeIndex['skills'][number][] = []
    for (const skill of found.skills) {
      const key = `${skill.id} ${skill.version}`
      const version = indexed.get(key) ?? (await indexVersion(ctx, await openVersion(ctx, skill)))
      indexed.set(key, version)
      skills.push({ skill, ...version })
    }
    return { scope, skills, total: found.total }
  }
}

/** Returns the served SKILL.md of a version, by default the current one. Throws NOT_FOUND. */
export async function servedMarkdown(
  ctx: RegistryContext,
  skill: SkillRecord,
  number: number | undefined,
) {
  const version = await openVersion(ctx, skill, { version: number })
  return { version, ...(await readMarkdown(version.files)) }
}

/** Installers ignore pax headers, so paths above the 100 bytes of a tar name require zip. */
const kindFor = (paths: readonly string[]): ArchiveKind =>
  paths.some((path) => Buffer.byteLength(path) > 100) ? 'zip' : 'tarGz'

async function readMarkdown(files: readonly FileEntry[]) {
  const entry = files.find(({ path }) => path === 'SKILL.md') ?? fail('NOT_FOUND')
  const { buffer } = await readBytes(entry)
  return { markdown: Buffer.from(buffer).toString(), digest: entry.digest }
}
