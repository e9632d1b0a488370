import type { RegistryContext } from '../discovery/context.ts'
import { searchSkills } from '../discovery/search.ts'
import { fail } from '../errors/failure.ts'
import { isInstallableSlug } from '../skills/frontmatter/complete.ts'
import { findInstallable } from './scope.ts'

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
