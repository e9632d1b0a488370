import type { Db } from '../../db/open.ts'
import { raiseOneSkill } from './revision.ts'

/**
 * Marks an agent as the one that a domain belongs to, and no other. One skill of each takes the
 * revision, so that other processes hear of it.
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
    await raiseOneSkill(trx, 'agent_id', id, revision)
  }
}

/**
 * Gives repositories of an owner, or the one that is named, and their skills to an agent. What a former
 * owner has signed there is no signature of their publisher any more. Gives the ids of the repositories.
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
