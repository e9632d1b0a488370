import { isStorable } from '@skillpass/contract'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import {
  failMissingSkill,
  refuseHiddenAddress,
  type SkillAddress,
} from '../catalogue/require-skill.ts'
import type { Db } from '../db/open.ts'
import { dayLength } from '../runtime/time.ts'
import { findMovedRepository as findMovedTo } from '../store/organizations/transfers.ts'
import { recountRepository } from '../store/registry/counts.ts'
import { findMove, insertMove } from '../store/registry/moves.ts'
import type { RepositoryRecord } from '../store/registry/repositories.ts'
import { touchOneSkill } from '../store/registry/revision.ts'
import { deleteSignatures } from '../store/registry/signatures.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { moveStars } from '../store/registry/votes.ts'

/**
 * How long a deleted skill's address stays reserved and a moved skill's old address redirects, in
 * ms (spec/decisions.md#names-and-addresses).
 */
export const reservation = 30 * dayLength

/**
 * Returns the skill that moved away from an address within the last 30 days. Otherwise throws
 * NOT_FOUND, or the error for a hidden skill.
 */
export async function findMoved(ctx: RegistryContext, address: SkillAddress): Promise<SkillRecord> {
  // Postgres refuses NUL in a text parameter.
  const id = Object.values(address).every(isStorable)
    ? await findMove(ctx.db.read, address, ctx.clock.now() - reservation)
    : undefined
  const skill = id === undefined ? undefined : ctx.catalogue.get(id)
  if (skill) return skill
  const moved = await findMovedRepository(ctx, address)
  if (!moved) return failMissingSkill(ctx, address)
  const { owner, name: repo } = moved
  return (
    ctx.catalogue.at(owner, repo, address.skill) ??
    findMoved(ctx, { owner, repo, skill: address.skill })
  )
}

/**
 * Returns the repository that moved away from an address within the last 30 days, if the reader
 * sees skills in it and none at the former address.
 */
export async function findMovedRepository(
  { catalogue, db, clock }: RegistryContext,
  { owner, repo }: Pick<SkillAddress, 'owner' | 'repo'>,
) {
  const hasSkills = (owner: string, repo: string) =>
    catalogue.find({ owner, repo, order: 'recent' }, 0, 0).total > 0
  if (!isStorable(owner + repo) || hasSkills(owner, repo)) return undefined
  const since = clock.now() - reservation
  const moved = await findMovedTo(db.read, { owner, repo, since })
  return moved && hasSkills(moved.owner, moved.name) ? moved : undefined
}

/**
 * Prepares a skill for a move: records the redirect and drops its signatures, which cover the old
 * address. Throws CONFLICT if the operator blocks the new address.
 */
export async function prepareMove(
  ctx: RegistryContext,
  trx: Db,
  skill: SkillRecord,
  to: { repository: RepositoryRecord; slug: string },
): Promise<void> {
  await refuseHiddenAddress(trx, to.repository, to.slug)
  // A skill that moves back must not replay old signatures over newer ones at this address.
  await deleteSignatures(trx, skill.id)
  await insertMove(trx, {
    repositoryId: skill.repository.id,
    slug: skill.slug,
    skillId: skill.id,
    movedAt: ctx.clock.now(),
  })
}

/** Updates the counts of both repositories after a move, and returns both. */
export async function recountMoved(
  trx: Db,
  { id, repository: from }: SkillRecord,
  to: RepositoryRecord,
  revision: number,
): Promise<{ from: RepositoryRecord; to: RepositoryRecord }> {
  await moveStars(trx, id, to.id)
  await touchOneSkill(trx, 'repository_id', from.id, revision)
  return {
    from: { ...from, ...(await recountRepository(trx, from.id)) },
    to: { ...to, ...(await recountRepository(trx, to.id)) },
  }
}
