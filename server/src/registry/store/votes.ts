import { sql } from 'kysely'
import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'

const numbers = [
  'votedAt',
  'weight',
  'alone',
  'version',
  'network',
  'castNetwork',
  'weighedAt',
] as const
const flags = ['helpful', 'hasRead'] as const

/** An agent's latest opinion of a skill. Networks are keys, empty where unknown. */
export type Vote = Pick<Fields<'votes'>, (typeof numbers)[number]> &
  Record<(typeof flags)[number], boolean>

interface Key {
  skillId: string
  agentId: string
}

const columns = columnsOf('votes', [...numbers, ...flags])

type Row = Pick<Fields<'votes'>, keyof Vote>

const toVote = (row: Row): Vote => ({
  ...row,
  helpful: row.helpful === 1,
  hasRead: row.hasRead === 1,
})

/** The agent's latest vote on the skill. */
export async function findVote(trx: Db, key: Key): Promise<Vote | undefined> {
  const row = await trx
    .selectFrom('votes')
    .select(columns)
    .where('skill_id', '=', key.skillId)
    .where('agent_id', '=', key.agentId)
    .executeTakeFirst()
  return row && toVote(row)
}

/** Writes the agent's latest vote. */
export async function upsertVote(trx: Db, key: Key, vote: Vote): Promise<void> {
  const said = {
    ...toRow(vote, numbers),
    helpful: vote.helpful ? (1 as const) : (0 as const),
    has_read: vote.hasRead ? (1 as const) : (0 as const),
  }
  await trx
    .insertInto('votes')
    .values({ skill_id: key.skillId, agent_id: key.agentId, ...said })
    .onConflict((conflict) => conflict.columns(['skill_id', 'agent_id']).doUpdateSet(said))
    .execute()
}

/** Removes the agent's vote on the skill and gives it. */
export async function deleteVote(trx: Db, key: Key): Promise<Vote | undefined> {
  const row = await trx
    .deleteFrom('votes')
    .where('skill_id', '=', key.skillId)
    .where('agent_id', '=', key.agentId)
    .returning(columns)
    .executeTakeFirst()
  return row && toVote(row)
}

/** Votes that were weighed before `time`, the longest ago first. */
export async function listVotesWeighedBefore(
  db: Db,
  time: number,
  limit: number,
): Promise<(Key & Vote)[]> {
  const rows = await db
    .selectFrom('votes')
    .select(columnsOf('votes', ['skillId', 'agentId']))
    .select(columns)
    .where('weighed_at', '<', time)
    .orderBy('weighed_at')
    .orderBy('skill_id')
    .orderBy('agent_id')
    .limit(limit)
    .execute()
  return rows.map(({ skillId, agentId, ...row }) => ({ skillId, agentId, ...toVote(row) }))
}

/**
 * What other agents of a network say of the skill on one side, where nobody contradicts them. A vote is
 * of the network that its agent registered from and of the one it was cast from.
 */
export async function sumSide(
  trx: Db,
  { skillId, agentId }: Key,
  network: string,
  helpful: boolean,
): Promise<number> {
  const row = await trx
    .selectFrom('votes')
    .select((eb) => eb.fn.sum<number | null>('alone').as('alone'))
    .where('skill_id', '=', skillId)
    .where('agent_id', '<>', agentId)
    .where('helpful', '=', helpful ? 1 : 0)
    .where((eb) => eb.or([eb('network', '=', network), eb('cast_network', '=', network)]))
    .executeTakeFirstOrThrow()
  return Number(row.alone ?? 0)
}

/** Both sides of a network's agents on a skill: what they weigh, and would weigh alone. */
export async function sumSides(
  trx: Db,
  skillId: string,
  network: string,
): Promise<{ helpful: boolean; alone: number; weight: number }[]> {
  const rows = await trx
    .selectFrom('votes')
    .select((eb) => [
      'helpful',
      eb.fn.sum<number>('alone').as('alone'),
      eb.fn.sum<number>('weight').as('weight'),
    ])
    .where('skill_id', '=', skillId)
    .where('network', '=', network)
    .where('alone', '>', 0)
    .groupBy('helpful')
    .execute()
  return rows.map(({ helpful, alone, weight }) => ({
    helpful: helpful === 1,
    alone: Number(alone),
    weight: Number(weight),
  }))
}

/**
 * Has the votes of a network on one side of a skill weigh a part of what they would alone. Gives those
 * that are in the skill's sums, as they were: none of a blocked agent is.
 */
export async function weighSide(
  trx: Db,
  { skillId, network, helpful }: { skillId: string; network: string; helpful: boolean },
  part: number,
): Promise<Vote[]> {
  const side = { skill_id: skillId, network, helpful: helpful ? (1 as const) : (0 as const) }
  const rows = await trx
    .selectFrom('votes')
    .innerJoin('agents', 'agents.id', 'votes.agent_id')
    .select(columns)
    .where('votes.skill_id', '=', side.skill_id)
    .where('votes.network', '=', side.network)
    .where('votes.helpful', '=', side.helpful)
    .where('votes.alone', '>', 0)
    .where('agents.blocked_at', 'is', null)
    .execute()
  await trx
    .updateTable('votes')
    .set((eb) => ({ weight: eb('alone', '*', part) }))
    .where('skill_id', '=', side.skill_id)
    .where('network', '=', side.network)
    .where('helpful', '=', side.helpful)
    .where('alone', '>', 0)
    .execute()
  return rows.map(toVote)
}

/** What a network's votes weigh together that were cast between two times, but for one of them. */
export async function sumDay(
  trx: Db,
  { skillId, agentId }: Key,
  network: string,
  { from, to }: { from: number; to: number },
): Promise<number> {
  // A sum for each of the two columns, so that each finds its rows by an index.
  const sum = (column: 'network' | 'cast_network') => {
    let votes = trx
      .selectFrom('votes')
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('weight'), sql<number>`0`).as('weight'))
      .where(column, '=', network)
    if (column === 'cast_network') votes = votes.where('network', '<>', network)
    return votes
      .where('voted_at', '>=', from)
      .where('voted_at', '<', to)
      .where((eb) => eb.or([eb('skill_id', '<>', skillId), eb('agent_id', '<>', agentId)]))
  }
  const row = await trx
    .selectNoFrom([sum('network').as('registered'), sum('cast_network').as('cast')])
    .executeTakeFirstOrThrow()
  return Number(row.registered) + Number(row.cast)
}

/**
 * Whom an agent judged before a time, its last votes first: publishers other than itself and
 * `publisher`, and none of its own network. Publishers of one network count as one.
 */
export async function listJudged(
  db: Db,
  voter: { agentId: string; network: string; before: number; publisher: string },
  limit: number,
): Promise<{ publisher: string; votedAt: number }[]> {
  return db
    .selectFrom('votes')
    .innerJoin('skills', 'skills.id', 'votes.skill_id')
    .innerJoin('repositories', 'repositories.id', 'skills.repository_id')
    .innerJoin('agents as owners', 'owners.id', 'skills.agent_id')
    .select((eb) => [
      eb.fn
        .coalesce(eb.ref('owners.network'), eb.ref('repositories.owner_key'))
        .$notNull()
        .as('publisher'),
      'votes.voted_at as votedAt',
    ])
    .where('votes.agent_id', '=', voter.agentId)
    .where('votes.voted_at', '<', voter.before)
    .where('skills.agent_id', '<>', voter.agentId)
    .where('repositories.owner_key', '<>', voter.publisher)
    .where((eb) =>
      eb.or([eb('owners.network', 'is', null), eb('owners.network', '<>', voter.network)]),
    )
    .orderBy('votes.voted_at', 'desc')
    .limit(limit)
    .execute()
}
