import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'

const fields = ['votedAt', 'weight', 'network', 'castNetwork', 'version'] as const

/** An agent's latest opinion of a skill. Networks are keys, empty where unknown. */
export type Vote = Pick<Fields<'votes'>, (typeof fields)[number]> & { helpful: boolean }

interface Key {
  skillId: string
  agentId: string
}

/** The agent's latest vote on the skill. */
export async function findVote(trx: Db, key: Key): Promise<Vote | undefined> {
  const row = await trx
    .selectFrom('votes')
    .select(columnsOf('votes', fields))
    .select('helpful')
    .where('skill_id', '=', key.skillId)
    .where('agent_id', '=', key.agentId)
    .executeTakeFirst()
  return row && { ...row, helpful: row.helpful === 1 }
}

/** Writes the agent's latest vote. */
export async function upsertVote(trx: Db, key: Key, vote: Vote): Promise<void> {
  const said = { ...toRow(vote, fields), helpful: vote.helpful ? (1 as const) : (0 as const) }
  await trx
    .insertInto('votes')
    .values({ skill_id: key.skillId, agent_id: key.agentId, ...said })
    .onConflict((conflict) => conflict.columns(['skill_id', 'agent_id']).doUpdateSet(said))
    .execute()
}

/** Removes the agent's vote on the skill; says whether there was one. */
export async function deleteVote(trx: Db, key: Key): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('votes')
    .where('skill_id', '=', key.skillId)
    .where('agent_id', '=', key.agentId)
    .executeTakeFirst()
  return numDeletedRows > 0
}
