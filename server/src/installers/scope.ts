import type { RegistryContext } from '../discovery/context.ts'
import { searchSkills } from '../discovery/search.ts'
import { fail } from '../errors/failure.ts'
import { isInstallableSlug } from '../skills/frontmatter/complete.ts'
import { findMoved } from '../skills/moves.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'

/** What an installer is pointed at: all of an owner, of a repository, or one skill. */
export interface Scope {
  owner: string
  repo?: string | undefined
  skill?: string | undefined
}

/**
 * Skills of one index. An installer fetches every entry at once before it asks which to install: 50
 * are a page of the lists, and leave an address room for ten indexes within the limit of downloads.
 */
export const indexSize = 50

/** Skills that are looked at to fill an index with those that can be installed. */
const looked = 4 * indexSize

/**
 * The skills of a scope, or the one that has left its address. Of a list those that can be installed,
 * the most starred first, each slug once: a second would be written over the first.
 *
 * Throws NOT_FOUND where nothing stands or nothing can be installed, or what stands for a hidden skill.
 */
export async function findScope(
  ctx: RegistryContext,
  { owner, repo, skill: slug }: Scope,
): Promise<{ skills: readonly SkillRecord[]; total: number } | { moved: SkillRecord }> {
  if (repo !== undefined && slug !== undefined) {
    const skill = ctx.catalogue.at(owner, repo, slug)
    if (!skill) return { moved: await findMoved(ctx, { owner, repo, skill: slug }) }
    if (!isInstallableSlug(skill.slug)) failNotInstallable(skill.slug)
    return { skills: [skill], total: 1 }
  }
  const query = { owner, repo, sort: 'stars' as const, page: 1, limit: looked }
  const { skills: found, total } = searchSkills(ctx, query)
  const bySlug = new Map<string, SkillRecord>()
  for (const skill of found) {
    if (isInstallableSlug(skill.slug) && !bySlug.has(skill.slug)) bySlug.set(skill.slug, skill)
  }
  const skills = [...bySlug.values()].slice(0, indexSize)
  if (skills.length === 0) {
    const where = [owner, repo].filter((part) => part !== undefined).join('/')
    fail('NOT_FOUND', `There is no skill to install at ${where}.`)
  }
  return { skills, total }
}

/** Skills that match, best first, of those that can be installed. */
export async function findInstallable(
  ctx: RegistryContext,
  { q, limit, owner }: { q: string; limit: number; owner?: string | undefined },
): Promise<readonly SkillRecord[]> {
  const query = { q, owner, sort: 'stars' as const, page: 1, limit: 2 * limit }
  const { skills } = searchSkills(ctx, query)
  return skills.filter(({ slug }) => isInstallableSlug(slug)).slice(0, limit)
}

/** The skill of a scope by its slug. Throws NOT_FOUND where the index does not name it. */
export async function findInScope(ctx: RegistryContext, scope: Scope, slug: string) {
  const found = await findScope(ctx, scope)
  if ('moved' in found) return found
  const skill = found.skills.find((one) => one.slug === slug)
  return skill ?? fail('NOT_FOUND', `The index names no skill ${slug}.`)
}

function failNotInstallable(slug: string): never {
  const form = '1 to 64 of a-z, 0-9 and single inner hyphens'
  fail('NOT_FOUND', `Installers take no skill with the slug ${slug}: it must be ${form}.`)
}
