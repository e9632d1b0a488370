import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import { currentReadme } from './readmes.ts'
import { findVersion } from './store/versions.ts'

export interface RawSkillAddress {
  owner: string
  repo: string
  skill: string
}

/** The markdown at an address, of the current version or of the one asked for, with its digest. */
export async function fetchRawSkill(
  ctx: Context,
  { owner, repo, skill: slug }: RawSkillAddress,
  by: { version?: number | undefined; digest?: string | undefined },
): Promise<{ skillId: string; digest: string; readme: string }> {
  const card = ctx.catalogue.at(owner, repo, slug)
  if (!card) fail('NOT_FOUND', `There is no skill at ${owner}/${repo}/${slug}.`)
  const isCurrent =
    (by.version ?? card.version) === card.version && (by.digest ?? card.digest) === card.digest
  if (isCurrent) {
    const readme = await currentReadme(ctx, card)
    if (readme !== undefined) return { skillId: card.id, digest: card.digest, readme }
  } else {
    const found = await findVersion(ctx.db.read, card.id, by)
    if (found) return { skillId: card.id, ...found }
  }
  return fail('NOT_FOUND', 'This skill has no such version.')
}
