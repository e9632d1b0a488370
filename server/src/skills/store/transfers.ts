import type { Db } from '../../db/open.ts'
import { touchOneSkill } from './revision.ts'

/**
 * Marks an agent as the only verified owner of a domain. Touches one skill of each affected agent,
 * so that other processes read the change.
 */
export async function markAgentVerified(
  trx: Db,
  agentId: string,
  domain: string,
  revision: number,
): Promise<void> {
  const former = await trx
    .updateTable('agents')
    .set({ verified_as: null })
    .where('verified_as', '=', domain)
    .where('id', '<>', agentId)
    .returning('id')
    .execute()
  await trx.updateTable('agents').set({ verified_as: domain }).where('id', '=', agentId).execute()
  for (const { id } of [...former, { id: agentId }]) {
    await touchOneSkill(trx, 'agent_id', id, revision)
  }
}

/**
 * Transfers all repositories of an owner, or the one named, to an agent with their skills. Deletes
 * signatures of other publishers. Returns the ids of the repositories.
 */
export async function transferRepositories(
  trx: Db,
  {
    owner,
    name,
    agentId,
    subject,
  }: { owner: string; name?: string | undefined; agentId: string; subject: string },
  revision: number,
): Promise<string[]> {
  let taking = trx
    .updateTable('repositories')
    .set({ agent_id: agentId, verified_as: subject })
    .where('owner_key', '=', owner.toLowerCase())
  if (name !== undefined) taking = taking.where('name_key', '=', name.toLowerCase())
  const taken = await taking.returning('id').execute()
  for (const { id } of taken) {
    await trx
      .deleteFrom('version_signatures')
      .where('skill_id', 'in', (eb) =>
        eb
          .selectFrom('skills')
          .select('id')
          .where('repository_id', '=', id)
          .where('agent_id', '<>', agentId),
      )
      .execute()
    await trx
      .updateTable('skills')
      .set({ agent_id: agentId, revision })
      .where('repository_id', '=', id)
      .where('deleted_at', 'is', null)
      .execute()
  }
  return taken.map(({ id }) => id)
}
