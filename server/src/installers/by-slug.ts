import type { RegistryContext } from '../discovery/context.ts'
import { searchSkills } from '../discovery/search.ts'
import { fail } from '../errors/failure.ts'
import { isInstallableSlug } from '../skills/frontmatter/complete.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'
import { findInstallable } from './scope.ts'

const pageSize = 500

/** Skills that are named to who has left the owner out. */
const named = 5

/**
 * The skill of an owner with a slug, of several the most starred. Throws NOT_FOUND, also without an
 * owner: whoever published a slug once more could else put his skill in the place of the first.
 */
export async function findBySlug(
  ctx: RegistryContext,
  slug: string,
  owner: string | undefined,
): Promise<SkillRecord> {
  if (owner === undefined) return failWithoutOwner(ctx, slug)
  const wanted = slug.toLowerCase()
  for (let page = 1; ; page++) {
    const query = { owner, sort: 'stars' as const, page, limit: pageSize }
    const { skills, hasMore } = searchSkills(ctx, query)
    const found = skills.find((skill) => skill.slug === wanted)
    if (found && isInstallableSlug(found.slug)) return found
    if (!hasMore) fail('NOT_FOUND', `There is no skill ${slug} of ${owner} to install.`)
  }
}

async function failWithoutOwner(ctx: RegistryContext, slug: string): Promise<never> {
  const found = await findInstallable(ctx, { q: slug, limit: named })
  const same = found.filter((skill) => skill.slug === slug.toLowerCase())
  const names = same.map(({ repository, slug }) => `${repository.owner}/${slug}`)
  const hint = names.length === 0 ? '' : `, such as ${names.join(', ')}`
  fail('NOT_FOUND', `Name the skill with its owner${hint}.`)
}
