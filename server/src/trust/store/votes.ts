import { columnsOf, type Db, type Fields, toRow } from '../../db/query.ts'

const fields = ['votedAt', 'weight', 'network', 'castNetwork', 'version'] as const

/** An agent's latest vote on a skill. Networks are keys, empty if unknown. */
export type Vote = Pick<Fields<'votes'>, (typeof fields)[number]> & { helpful: boolean }

interface Key {
  skillId: string
  agentId: string
}

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

export async function upsertVote(trx: Db, key: Key, vote: Vote): Promise<void> {
  const values = { ...toRow(vote, fields), helpful: vote.helpful ? (1 as const) : (0 as const) }
  await trx
    .insertInto('votes')
    .values({ skill_id: key.skillId, agent_id: key.agentId, ...values })
    .onConflict((conflict) => conflict.columns(['skill_id', 'agent_id']).doUpdateSet(values))
    .execute()
}

/** Deletes an agent's vote. Returns whether there was one. */
export async function deleteVote(trx: Db, key: Key): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('votes')
    .where('skill_id', '=', key.skillId)
    .where('agent_id', '=', key.agentId)
    .executeTakeFirst()
  return numDeletedRows > 0
}
