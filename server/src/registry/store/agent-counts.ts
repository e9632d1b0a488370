import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Schema } from '../../db/schema.ts'
import { recountStars } from './stars.ts'

/** A vote weighs twice as much each `halfLife` after `epoch` (ms). */
export interface Aging {
  epoch: number
  halfLife: number
}

/**
 * Takes what an agent's feedback, votes and stars add to skills and repositories out of their numbers,
 * or brings it back. The rows themselves stay. A statement each, for there may be tens of thousands.
 */
export async function addAgentCounts(
  trx: Db,
  agentId: string,
  change: 'take' | 'bring back',
  { revision, aging }: { revision: number; aging: Aging },
): Promise<void> {
  const sign = change === 'take' ? -1 : 1
  await addFeedback(trx, agentId, sign, revision)
  await addVotes(trx, agentId, sign, revision, aging)
  await addStars(trx, agentId, sign, revision)
}

type Sign = -1 | 1

async function addFeedback(trx: Db, agentId: string, sign: Sign, revision: number) {
  // By way of the votes, which have an index by agent; who gave feedback has a vote.
  const entries = trx
    .selectFrom('votes')
    .innerJoin('feedback', (join) =>
      join
        .onRef('feedback.skill_id', '=', 'votes.skill_id')
        .onRef('feedback.agent_id', '=', 'votes.agent_id'),
    )
    .select((eb) => [
      'votes.skill_id',
      eb.fn.countAll<number>().as('entries'),
      eb.fn.sum<number>('feedback.helpful').as('helpful'),
    ])
    .where('votes.agent_id', '=', agentId)
    .groupBy('votes.skill_id')
    .as('said')
  await trx
    .updateTable('skills')
    .from(entries)
    .set((eb) => ({
      feedback_count: eb('feedback_count', '+', sql<number>`${sql.lit(sign)} * said.entries`),
      helpful_count: eb('helpful_count', '+', sql<number>`${sql.lit(sign)} * said.helpful`),
      revision,
    }))
    .whereRef('skills.id', '=', 'said.skill_id')
    .execute()
}

/** Less than any vote: what rounding leaves where the last one went. */
const residue = 1e-12

/** What a vote adds to the sums of its skill. */
export const agedWeight = ({ epoch, halfLife }: Aging) =>
  sql<number>`votes.weight * pow(cast(2 as double precision),
    (votes.voted_at - ${sql.lit(epoch)}) / cast(${sql.lit(halfLife)} as double precision))`

async function addVotes(trx: Db, agentId: string, sign: Sign, revision: number, aging: Aging) {
  const weight = agedWeight(aging)
  const sum = (column: 'helpful_weight' | 'unhelpful_weight', helpful: 0 | 1) => {
    const moved = sql<number>`skills.${sql.ref(column)} + ${sql.lit(sign)} * ${weight}`
    return sql<number>`case when votes.helpful <> ${sql.lit(helpful)} then skills.${sql.ref(column)}
      when ${moved} < ${sql.lit(residue)} then 0 else ${moved} end`
  }
  await trx
    .updateTable('skills')
    .from('votes')
    .set({
      helpful_weight: sum('helpful_weight', 1),
      unhelpful_weight: sum('unhelpful_weight', 0),
      revision,
    })
    .whereRef('skills.id', '=', 'votes.skill_id')
    .where('votes.agent_id', '=', agentId)
    .execute()
}

async function addStars(trx: Db, agentId: string, sign: Sign, revision: number) {
  const counted = trx
    .selectFrom('stars')
    .where('stars.agent_id', '=', agentId)
    .where('stars.counted', '=', 1)
  await trx
    .updateTable('skills')
    .set((eb) => ({ star_count: eb('star_count', '+', sign), revision }))
    .where('id', 'in', counted.select('stars.skill_id'))
    .execute()
  // A repository counts an agent once, and only for skills that readers see.
  await trx
    .updateTable('repositories')
    .set((eb) => ({ star_count: eb('star_count', '+', sign) }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('stars')
        .innerJoin('skills', 'skills.id', 'stars.skill_id')
        .select('stars.repository_id')
        .where('stars.agent_id', '=', agentId)
        .where('stars.counted', '=', 1)
        .where('skills.deleted_at', 'is', null)
        .where('skills.state', '<>', 'hidden'),
    )
    .execute()
}

/** An agent, and the key of the network that it registered from. */
interface Owner {
  id: string
  network: string | null
}

/**
 * Takes what an owner and its network have said of the owner's skills out of all numbers for good, as
 * if it had owned them when it was said. The rows stay, without weight.
 */
export async function takeOwnCounts(
  trx: Db,
  owner: Owner,
  { revision, aging }: { revision: number; aging: Aging },
): Promise<void> {
  await takeOwnVotes(trx, owner, revision, aging)
  await takeOwnStars(trx, owner, revision)
}

const skillsOf = (trx: Db, { id }: Owner) =>
  trx.selectFrom('skills').select('skills.id').where('skills.agent_id', '=', id)

const isBlocked = (trx: Db, agent: 'votes.agent_id' | 'stars.agent_id') =>
  trx
    .selectFrom('agents')
    .select('agents.id')
    .where('agents.id', '=', sql.ref<string>(agent))
    .where('agents.blocked_at', 'is not', null)

async function takeOwnVotes(trx: Db, owner: Owner, revision: number, aging: Aging) {
  const { id, network } = owner
  const isOwn = (eb: ExpressionBuilder<Schema, 'votes'>) =>
    eb.or([
      eb('votes.agent_id', '=', id),
      ...(network
        ? [eb('votes.network', '=', network), eb('votes.cast_network', '=', network)]
        : []),
    ])
  const sumOf = (helpful: 0 | 1) => sql<number>`sum(case when votes.helpful = ${sql.lit(helpful)}
    then ${agedWeight(aging)} else 0 end)`
  const own = trx
    .selectFrom('votes')
    .select(['votes.skill_id', sumOf(1).as('helpful'), sumOf(0).as('unhelpful')])
    .where('votes.skill_id', 'in', skillsOf(trx, owner))
    .where('votes.weight', '>', 0)
    .where(isOwn)
    // What blocked agents have said is out of the sums already.
    .where((eb) => eb.not(eb.exists(isBlocked(trx, 'votes.agent_id'))))
    .groupBy('votes.skill_id')
    .as('own')
  const without = (column: 'helpful_weight' | 'unhelpful_weight', side: string) => {
    const rest = sql<number>`skills.${sql.ref(column)} - own.${sql.ref(side)}`
    return sql<number>`case when ${rest} < ${sql.lit(residue)} then 0 else ${rest} end`
  }
  await trx
    .updateTable('skills')
    .from(own)
    .set({
      helpful_weight: without('helpful_weight', 'helpful'),
      unhelpful_weight: without('unhelpful_weight', 'unhelpful'),
      revision,
    })
    .whereRef('skills.id', '=', 'own.skill_id')
    .execute()
  await trx
    .updateTable('votes')
    .set({ weight: 0, alone: 0 })
    .where('votes.skill_id', 'in', skillsOf(trx, owner))
    .where('votes.weight', '>', 0)
    .where(isOwn)
    .execute()
}

async function takeOwnStars(trx: Db, owner: Owner, revision: number) {
  const { id, network } = owner
  const isOwn = (eb: ExpressionBuilder<Schema, 'stars'>) => {
    const registered = trx.selectFrom('agents').select('agents.id').where('network', '=', network)
    return eb.or([
      eb('stars.agent_id', '=', id),
      ...(network
        ? [eb('stars.network', '=', network), eb('stars.agent_id', 'in', registered)]
        : []),
    ])
  }
  const own = trx
    .selectFrom('stars')
    .select((eb) => ['stars.skill_id', eb.fn.countAll<number>().as('count')])
    .where('stars.skill_id', 'in', skillsOf(trx, owner))
    .where('stars.counted', '=', 1)
    .where(isOwn)
    .where((eb) => eb.not(eb.exists(isBlocked(trx, 'stars.agent_id'))))
    .groupBy('stars.skill_id')
    .as('own')
  await trx
    .updateTable('skills')
    .from(own)
    .set((eb) => ({ star_count: eb('star_count', '-', sql<number>`own.count`), revision }))
    .whereRef('skills.id', '=', 'own.skill_id')
    .execute()
  const taken = await trx
    .updateTable('stars')
    .set({ counted: 0 })
    .where('stars.skill_id', 'in', skillsOf(trx, owner))
    .where('stars.counted', '=', 1)
    .where(isOwn)
    .returning('stars.repository_id')
    .execute()
  for (const repository of new Set(taken.map((row) => row.repository_id))) {
    await recountStars(trx, repository)
  }
}
