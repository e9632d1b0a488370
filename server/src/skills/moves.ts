import { isStorable } from '@skillpass/contract'
import type { Db } from '../db/open.ts'
import type { RegistryContext } from '../discovery/context.ts'
import { failMissing, refuseHiddenAddress } from '../moderation/hidden.ts'
import { recountRepository } from '../trust/store/counts.ts'
import { moveStars } from '../trust/store/stars.ts'
import { findMove, insertMove } from './store/moves.ts'
import type { RepositoryRecord } from './store/repositories.ts'
import { raiseOneSkill } from './store/revision.ts'
import { deleteSignatures } from './store/signatures.ts'
import type { SkillRecord } from './store/skill-record.ts'

/** How long a deleted skill's address stays reserved and a moved one's leads on, ms (open-points A). */
export const reservation = 30 * 86_400_000

/**
 * The skill that has left an address within the last 30 days. Throws what stands for an address that
 * leads nowhere.
 */
export async function findMoved(
  ctx: RegistryContext,
  address: { owner: string; repo: string; skill: string },
): Promise<SkillRecord> {
  // Postgres takes no NUL in a text, not even to look for it.
  const id = Object.values(address).every(isStorable)
    ? await findMove(ctx.db.read, address, ctx.clock.now() - reservation)
    : undefined
  return (id === undefined ? undefined : ctx.catalogue.get(id)) ?? failMissing(ctx, address)
}

/** Makes ready to move a skill: throws CONFLICT where its new address must stay free. */
export async function leaveAddress(
  ctx: Pick<RegistryContext, 'clock'>,
  trx: Db,
  skill: SkillRecord,
  to: { repository: RepositoryRecord; slug: string },
): Promise<void> {
  await refuseHiddenAddress(trx, to.repository, to.slug)
  // With them a skill that comes back could replace what was signed there since.
  await deleteSignatures(trx, skill.id)
  await insertMove(trx, {
    repositoryId: skill.repository.id,
    slug: skill.slug,
    skillId: skill.id,
    movedAt: ctx.clock.now(),
  })
}

/** Counts a skill, which has been moved, in its new repository; gives both as they are now. */
export async function countMoved(
  trx: Db,
  { id, repository: from }: SkillRecord,
  to: RepositoryRecord,
  revision: number,
): Promise<{ from: RepositoryRecord; to: RepositoryRecord }> {
  await moveStars(trx, id, to.id)
  await raiseOneSkill(trx, 'repository_id', from.id, revision)
  return {
    from: { ...from, ...(await recountRepository(trx, from.id)) },
    to: { ...to, ...(await recountRepository(trx, to.id)) },
  }
}
