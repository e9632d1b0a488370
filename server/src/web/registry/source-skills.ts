import { findAgentNamed } from '../../agents/agents.ts'
import type { RegistryContext } from '../../discovery/context.ts'
import { searchSkills } from '../../discovery/search.ts'
import { fail } from '../../errors/failure.ts'
import { findRepositoryNamed } from '../../skills/repositories.ts'

/** Skills that a page lists. */
export const resultsPerPage = 20

/**
 * A page of the skills of an owner or a repository. Its names are as they are, however they were typed.
 * Throws NOT_FOUND where there is nothing by the name.
 */
export async function findSource(
  ctx: RegistryContext,
  { owner, repo }: { owner: string; repo?: string | undefined },
  page: number,
) {
  const wanted = { owner, repo, sort: 'stars' as const, limit: resultsPerPage }
  const found = searchSkills(ctx, { ...wanted, page })
  const [first] = found.skills
  const agent = repo === undefined ? await findAgentNamed(ctx, owner) : undefined
  const known =
    first?.repository ??
    (repo === undefined ? undefined : await findRepositoryNamed(ctx, { owner, repo }))
  if (found.total === 0 && !agent && !known) {
    const path = [owner, repo].filter((part) => part !== undefined).join('/')
    fail('NOT_FOUND', `There is nothing at /${path}.`)
  }
  return {
    owner: known?.owner ?? agent?.username ?? owner,
    ...(repo !== undefined && { repo: known?.name ?? repo }),
    found,
    agent: agent?.username,
  }
}
