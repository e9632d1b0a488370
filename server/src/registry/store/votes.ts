import { sql } from 'kysely'
import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'

const numbers = ['votedAt', 'weight', 'network', 'castNetwork', 'weighedAt'] as const
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
 * What other votes of a network weigh together: on the skill, and on all skills between two times.
 * A vote is of the network that its agent registered from and of the one it was cast from.
 */
export async function sumNetworkVotes(
  trx: Db,
  { skillId, agentId }: Key,
  network: string,
  { from, to }: { from: number; to: number },
): Promise<{ onSkill: number; onDay: number }> {
  // A sum for each of the two columns, so that each finds its rows by an index.
  const sum = (on: 'skill' | 'day', column: 'network' | 'cast_network') => {
    let votes = trx
      .selectFrom('votes')
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('weight'), sql<number>`0`).as('weight'))
      .where(column, '=', network)
    if (column === 'cast_network') votes = votes.where('network', '<>', network)
    return on === 'skill'
      ? votes.where('skill_id', '=', skillId).where('agent_id', '<>', agentId)
      : votes
          .where('voted_at', '>=', from)
          .where('voted_at', '<', to)
          .where((eb) => eb.or([eb('skill_id', '<>', skillId), eb('agent_id', '<>', agentId)]))
  }
  const row = await trx
    .selectNoFrom([
      sum('skill', 'network').as('registeredOnSkill'),
      sum('skill', 'cast_network').as('castOnSkill'),
      sum('day', 'network').as('registeredOnDay'),
      sum('day', 'cast_network').as('castOnDay'),
    ])
    .executeTakeFirstOrThrow()
  return {
    onSkill: Number(row.registeredOnSkill) + Number(row.castOnSkill),
    onDay: Number(row.registeredOnDay) + Number(row.castOnDay),
  }
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
