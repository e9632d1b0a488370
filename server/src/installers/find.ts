import type { RegistryContext } from '../discovery/context.ts'
import { searchSkills } from '../discovery/search.ts'
import { isInstallableSlug } from '../skills/frontmatter/complete.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'

/** Skills that match, best first, of those that can be installed. */
export async function findInstallable(
  ctx: RegistryContext,
  { q, limit, owner }: { q: string; limit: number; owner?: string | undefined },
): Promise<readonly SkillRecord[]> {
  const query = { q, owner, sort: 'stars' as const, page: 1, limit: 2 * limit }
  const { skills } = searchSkills(ctx, query)
  return skills.filter(({ slug }) => isInstallableSlug(slug)).slice(0, limit)
}
