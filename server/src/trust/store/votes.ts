import { sql } from 'kysely'
import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'

/** A vote weighs twice as much each `halfLife` after `epoch` (ms), so that sums need no look at old ones. */
export const aging = { epoch: Date.UTC(2026, 0, 1), halfLife: 180 * 86_400_000 }

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

/** What a vote weighs now, relative to a fixed time (votes/trust.ts). */
const agedWeight = sql<number>`votes.weight * pow(cast(2 as double precision),
  (votes.voted_at - ${sql.lit(aging.epoch)}) / cast(${sql.lit(aging.halfLife)} as double precision))`

/**
 * Sum of the votes on one side of `skills.id`. A network counts as the weightiest of its votes, split
 * between the sides in proportion; votes of blocked agents count for nothing.
 */
export const sumVotes = (helpful: 0 | 1) => sql<number>`(
  select coalesce(sum(side), 0) from (
    select max(weighed.weight) * sum(case when weighed.helpful = ${sql.lit(helpful)}
      then weighed.weight else 0 end) / sum(weighed.weight) as side
    from (
      select votes.network, votes.helpful, ${agedWeight} as weight
      from votes join agents on agents.id = votes.agent_id
      where votes.skill_id = skills.id and votes.weight > 0 and agents.blocked_at is null
    ) as weighed
    group by weighed.network) as networks)`

/** Counts the votes on a skill anew, and gives the sums. */
export async function recountVotes(trx: Db, skillId: string) {
  const row = await trx
    .updateTable('skills')
    .set({ helpful_weight: sumVotes(1), unhelpful_weight: sumVotes(0) })
    .where('id', '=', skillId)
    .returning(['helpful_weight as helpfulWeight', 'unhelpful_weight as unhelpfulWeight'])
    .executeTakeFirstOrThrow()
  return row
}
