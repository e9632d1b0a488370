import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { dayLength } from '../../runtime/time.ts'
import { isShown } from './revision.ts'

/**
 * Aging of votes. The weight of new votes doubles every `halfLife` (ms) after `epoch`, so that old
 * votes need no update.
 */
export const aging = { epoch: Date.UTC(2026, 0, 1), halfLife: 180 * dayLength }

/** Weight of a vote relative to the epoch (catalogue/trust.ts). */
const agedWeight = sql<number>`votes.weight * pow(cast(2 as double precision),
  (votes.voted_at - ${sql.lit(aging.epoch)}) / cast(${sql.lit(aging.halfLife)} as double precision))`

/**
 * Sums the helpful or the unhelpful votes of a skill. Each network counts as its heaviest vote,
 * split in proportion to both sides. Votes of blocked agents do not count.
 */
const sumVotes = (helpful: 0 | 1) => sql<number>`(
  select coalesce(sum(side), 0) from (
    select max(weighted.weight) * sum(case when weighted.helpful = ${sql.lit(helpful)}
      then weighted.weight else 0 end) / sum(weighted.weight) as side
    from (
      select votes.network, votes.helpful, ${agedWeight} as weight
      from votes join agents on agents.id = votes.agent_id
      where votes.skill_id = skills.id and votes.weight > 0 and agents.blocked_at is null
    ) as weighted
    group by weighted.network) as networks)`

/** Recounts the feedback, votes and stars of skills, without those of blocked agents. */
export function recountSkills(trx: Db, revision: number) {
  const from = (table: 'feedback' | 'stars') => sql`from ${sql.table(table)}
    join agents on agents.id = ${sql.ref(`${table}.agent_id`)} and agents.blocked_at is null
    where ${sql.ref(`${table}.skill_id`)} = skills.id`
  return trx.updateTable('skills').set({
    feedback_count: sql<number>`(select count(*) ${from('feedback')})`,
    helpful_count: sql<number>`(select count(*) ${from('feedback')} and feedback.helpful = 1)`,
    helpful_weight: sumVotes(1),
    unhelpful_weight: sumVotes(0),
    star_count: sql<number>`(select count(*) ${from('stars')} and stars.counted = 1)`,
    revision,
  })
}

/**
 * Recounts the downloads of repositories, and the distinct agents that star a skill in them. Hidden
 * skills and blocked agents do not count.
 */
export const recountRepositories = (trx: Db) =>
  trx.updateTable('repositories').set((eb) => ({
    star_count: eb(
      'upstream_stars',
      '+',
      eb
        .selectFrom('stars')
        .innerJoin('skills', 'skills.id', 'stars.skill_id')
        .innerJoin('agents', 'agents.id', 'stars.agent_id')
        .select((inner) => inner.fn.count<number>('stars.agent_id').distinct().as('count'))
        .whereRef('stars.repository_id', '=', 'repositories.id')
        .where('stars.counted', '=', 1)
        .where(isShown)
        .where('agents.blocked_at', 'is', null),
    ),
    download_count: eb.fn.coalesce(
      eb
        .selectFrom('skills')
        .select((inner) => inner.fn.sum<number>('fetch_count').as('sum'))
        .whereRef('skills.repository_id', '=', 'repositories.id')
        .where(isShown),
      eb.val(0),
    ),
  }))

export const recountRepository = (trx: Db, id: string) =>
  recountRepositories(trx)
    .where('id', '=', id)
    .returning(['star_count as starCount', 'download_count as downloadCount'])
    .executeTakeFirstOrThrow()

export async function recountSkill(
  trx: Db,
  { skillId, repositoryId, revision }: { skillId: string; repositoryId: string; revision: number },
): Promise<void> {
  await recountSkills(trx, revision).where('id', '=', skillId).execute()
  await recountRepository(trx, repositoryId)
}
