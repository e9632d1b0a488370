import { toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'
import { insertTextsOfHidden } from './judged-texts.ts'

/** A skill that the operator hides: whose it is, and why. */
export type HiddenSkill = { agentId: string; reason: string }

/** The hidden skill with this id. */
export async function findHiddenSkill(db: Db, id: string): Promise<HiddenSkill | undefined> {
  const [row] = await hiddenById(db, { id })
  return row && { agentId: row.agentId, reason: row.reason ?? '' }
}

const hiddenById = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('skills')
    .select(['agent_id as agentId', 'hidden_reason as reason'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('hidden_at', 'is not', null),
)

/** The hidden skill at this address, compared without case. */
export async function findHiddenSkillAt(
  db: Db,
  at: { owner: string; repo: string; skill: string },
): Promise<HiddenSkill | undefined> {
  const [row] = await hiddenByAddress(db, {
    ownerKey: at.owner.toLowerCase(),
    nameKey: at.repo.toLowerCase(),
    slug: at.skill.toLowerCase(),
  })
  return row && { agentId: row.agentId, reason: row.reason ?? '' }
}

const hiddenByAddress = prepared((db, at: { ownerKey: string; nameKey: string; slug: string }) =>
  db
    .selectFrom('repositories')
    .innerJoin('skills', 'skills.repository_id', 'repositories.id')
    .select(['skills.agent_id as agentId', 'skills.hidden_reason as reason'])
    .where('repositories.owner_key', '=', at.ownerKey)
    .where('repositories.name_key', '=', at.nameKey)
    .where('skills.slug', '=', at.slug)
    .where('skills.deleted_at', 'is', null)
    .where('skills.hidden_at', 'is not', null),
)

/** Hides a skill, or gives another reason where it is hidden. */
export async function hideSkill(
  trx: Db,
  id: string,
  { reason, now, revision }: { reason: string; now: number; revision: number },
): Promise<void> {
  await trx
    .updateTable('skills')
    .set({ hidden_at: now, hidden_reason: reason, hidden_by_block: 0, revision })
    .where('id', '=', id)
    .execute()
}

/** Brings a hidden skill back. */
export async function showSkill(trx: Db, id: string, revision: number): Promise<void> {
  await trx
    .updateTable('skills')
    .set({ hidden_at: null, hidden_reason: null, hidden_by_block: 0, revision })
    .where('id', '=', id)
    .execute()
}

/** Hides all of an agent's skills that are not hidden yet; gives the repositories, one for each. */
export async function hideSkillsOfAgent(
  trx: Db,
  agentId: string,
  { reason, now, revision }: { reason: string; now: number; revision: number },
): Promise<string[]> {
  const rows = await trx
    .updateTable('skills')
    .set({ hidden_at: now, hidden_reason: reason, hidden_by_block: 1, revision })
    .where('agent_id', '=', agentId)
    .where('deleted_at', 'is', null)
    .where('hidden_at', 'is', null)
    .returning('repository_id')
    .execute()
  await insertTextsOfHidden(trx, agentId)
  return rows.map((row) => row.repository_id)
}

/** Brings those back that were hidden along with the agent; gives the repositories, one for each. */
export async function showSkillsOfAgent(
  trx: Db,
  agentId: string,
  revision: number,
): Promise<string[]> {
  const rows = await trx
    .updateTable('skills')
    .set({ hidden_at: null, hidden_reason: null, hidden_by_block: 0, revision })
    .where('agent_id', '=', agentId)
    .where('deleted_at', 'is', null)
    .where('hidden_by_block', '=', 1)
    .returning('repository_id')
    .execute()
  return rows.map((row) => row.repository_id)
}

/** Keeps an address from being published at again. */
export async function removeAddress(
  trx: Db,
  removal: { repositoryId: string; slug: string; reason: string; now: number },
): Promise<void> {
  await trx
    .insertInto('removed_addresses')
    .values({ ...toRow(removal, ['repositoryId', 'slug', 'reason']), created_at: removal.now })
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'slug']).doUpdateSet({ reason: removal.reason }),
    )
    .execute()
}

/** Keeps that the operator deletes a skill, and why: then its text is published nowhere again. */
export async function markRemoved(trx: Db, id: string, reason: string): Promise<void> {
  await trx.updateTable('skills').set({ removed_reason: reason }).where('id', '=', id).execute()
}

/** Why the operator removed what was at an address; nothing where it did not. */
export async function findRemoval(
  db: Db,
  repositoryId: string,
  slug: string,
): Promise<string | undefined> {
  const [row] = await removalAt(db, { repositoryId, slug })
  return row?.reason
}

const removalAt = prepared((db, at: { repositoryId: string; slug: string }) =>
  db
    .selectFrom('removed_addresses')
    .select('reason')
    .where('repository_id', '=', at.repositoryId)
    .where('slug', '=', at.slug),
)

/** Blocks an agent, or gives another reason where it is blocked. */
export async function blockAgent(
  trx: Db,
  id: string,
  { reason, now }: { reason: string; now: number },
): Promise<void> {
  await trx
    .updateTable('agents')
    .set({ blocked_at: now, blocked_reason: reason })
    .where('id', '=', id)
    .execute()
}

/** Lets a blocked agent write again. */
export async function unblockAgent(trx: Db, id: string): Promise<void> {
  await trx
    .updateTable('agents')
    .set({ blocked_at: null, blocked_reason: null })
    .where('id', '=', id)
    .execute()
}

/** Why the operator blocked an agent; nothing where it is not blocked. */
export async function findBlock(db: Db, agentId: string): Promise<string | undefined> {
  const [row] = await blockOf(db, { agentId })
  return row && (row.reason ?? '')
}

const blockOf = prepared((db, { agentId }: { agentId: string }) =>
  db
    .selectFrom('agents')
    .select('blocked_reason as reason')
    .where('id', '=', agentId)
    .where('blocked_at', 'is not', null),
)
