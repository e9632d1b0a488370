import { sql } from 'kysely'
import { columnsOf, type Db, type Fields, hasRow, toRow } from '../../db/query.ts'
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

/** A reader of a skill on a UTC day, identified by a hash of its address or by its network. */
type Fetch = Fields<'fetches'>

const fields = ['skillId', 'reader', 'day'] as const

/** Stores readers. Returns those that were not stored before. */
export async function insertFetches(trx: Db, fetches: readonly Fetch[]): Promise<Fetch[]> {
  if (fetches.length === 0) return []
  return trx
    .insertInto('fetches')
    .values(fetches.map((fetch) => toRow(fetch, fields)))
    .onConflict((conflict) => conflict.columns(['day', 'skill_id', 'reader']).doNothing())
    .returning(columnsOf('fetches', fields))
    .execute()
}

/** Adds new readers, by address and by network, to the counts of a skill and its repository. */
export async function addFetches(
  trx: Db,
  skillId: string,
  readers: { addresses: number; networks: number },
  revision: number,
): Promise<void> {
  const skill = await trx
    .updateTable('skills')
    .set((eb) => ({
      fetch_count: eb('fetch_count', '+', readers.addresses),
      network_fetch_count: eb('network_fetch_count', '+', readers.networks),
      revision,
    }))
    .where('id', '=', skillId)
    .where(isShown)
    .returning('repository_id')
    .executeTakeFirst()
  if (!skill) return
  await trx
    .updateTable('repositories')
    .set((eb) => ({ download_count: eb('download_count', '+', readers.addresses) }))
    .where('id', '=', skill.repository_id)
    .execute()
}

/** A read of a skill by an agent or a network on a UTC day. */
type Read = Fields<'reads'>

/** Records the last day of each read. The reads must differ in skill or reader. */
export async function upsertReads(trx: Db, reads: readonly Read[]): Promise<void> {
  if (reads.length === 0) return
  await trx
    .insertInto('reads')
    .values(reads.map((read) => toRow(read, ['skillId', 'reader', 'day'])))
    .onConflict((conflict) =>
      conflict
        .columns(['skill_id', 'reader'])
        .doUpdateSet((eb) => ({ day: eb.ref('excluded.day') })),
    )
    .execute()
}

/** Returns whether one of the readers has read the skill within the retention period. */
export const hasRead = (db: Db, skillId: string, readers: readonly string[]) =>
  hasRow(
    db
      .selectFrom('reads')
      .select('reader')
      .where('skill_id', '=', skillId)
      .where('reader', 'in', [...readers])
      .limit(1),
  )

/** Deletes the readers of days before `day`. Counts stay. */
export const purgeReadersOf = (trx: Db, table: 'fetches' | 'reads', day: string) =>
  trx.deleteFrom(table).where('day', '<', day).execute()
