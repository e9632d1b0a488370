import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { type Aging, agedWeight } from './agent-counts.ts'
import { recountStars } from './stars.ts'

/** A judged text of a skill. */
export interface TextPlace {
  skillId: string
  version: number
}

/** What moves: what speaks for a text (helpful votes and feedback, stars), against it, or both. */
export interface Sides {
  helpful: boolean
  unhelpful: boolean
}

/**
 * Moves what agents have said of one text to another, where an agent that has said something of that
 * skill already keeps its word. The sums of both skills are to be counted anew.
 */
export async function moveJudgements(
  trx: Db,
  from: TextPlace,
  to: TextPlace & { repositoryId: string },
  { helpful, unhelpful }: Sides,
): Promise<void> {
  const sides = [...(helpful ? [1 as const] : []), ...(unhelpful ? [0 as const] : [])]
  if (sides.length === 0) return
  const place = { skill_id: to.skillId, version: to.version }
  const said = <T extends 'votes' | 'feedback' | 'stars'>(table: T) =>
    sql<boolean>`exists (select 1 from ${sql.table(table)} as said
      where said.skill_id = ${to.skillId} and said.agent_id = ${sql.ref(`${table}.agent_id`)}
      ${table === 'feedback' ? sql`and said.day = feedback.day` : sql``})`
  for (const table of ['votes', 'feedback'] as const) {
    await trx
      .updateTable(table)
      // Votes are weighed again, which nobody does while their skill is deleted.
      .set(table === 'votes' ? { ...place, weighed_at: 0 } : place)
      .where('skill_id', '=', from.skillId)
      .where('version', '=', from.version)
      .where('helpful', 'in', sides)
      .where((eb) => eb.not(said(table)))
      .execute()
  }
  if (!helpful) return
  await trx
    .updateTable('stars')
    .set({ ...place, repository_id: to.repositoryId })
    .where('skill_id', '=', from.skillId)
    .where('version', '=', from.version)
    .where((eb) => eb.not(said('stars')))
    .execute()
}

/** Moves open reports on some texts of a skill, or on all, to another skill. */
export async function moveReports(
  trx: Db,
  from: { skillId: string; version?: number },
  to: TextPlace,
): Promise<void> {
  let moving = trx
    .updateTable('reports')
    .set({ skill_id: to.skillId, version: to.version })
    .where('skill_id', '=', from.skillId)
    .where('resolved_at', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('reports as others')
            .select('others.id')
            .where('others.skill_id', '=', to.skillId)
            .where('others.resolved_at', 'is', null)
            .whereRef('others.agent_id', '=', 'reports.agent_id'),
        ),
      ),
    )
  if (from.version !== undefined) moving = moving.where('version', '=', from.version)
  await moving.execute()
}

/** Lets what is said to copy one skill copy another one. */
export async function moveOriginal(
  trx: Db,
  from: string,
  to: string,
  revision: number,
): Promise<void> {
  await trx
    .updateTable('skills')
    .set({ copy_of: to, revision })
    .where('copy_of', '=', from)
    .where('id', '<>', to)
    .execute()
}

/** Counts anew what agents who are not blocked have said of a skill, and its repository's stars. */
export async function recountJudgements(
  trx: Db,
  { skillId, repositoryId, revision }: { skillId: string; repositoryId: string; revision: number },
  aging: Aging,
): Promise<void> {
  const from = (table: 'votes' | 'feedback' | 'stars') => sql`from ${sql.table(table)}
    join agents on agents.id = ${sql.ref(`${table}.agent_id`)} and agents.blocked_at is null
    where ${sql.ref(`${table}.skill_id`)} = ${skillId}`
  const weight = (helpful: 0 | 1) => sql<number>`(select coalesce(sum(${agedWeight(aging)}), 0)
    ${from('votes')} and votes.helpful = ${sql.lit(helpful)})`
  await trx
    .updateTable('skills')
    .set({
      feedback_count: sql<number>`(select count(*) ${from('feedback')})`,
      helpful_count: sql<number>`(select count(*) ${from('feedback')} and feedback.helpful = 1)`,
      helpful_weight: weight(1),
      unhelpful_weight: weight(0),
      star_count: sql<number>`(select count(*) ${from('stars')} and stars.counted = 1)`,
      revision,
    })
    .where('id', '=', skillId)
    .execute()
  await recountStars(trx, repositoryId)
}

/** Adds networks that read a skill to those that its trust knows; fewer than none takes them out. */
export async function addNetworkFetches(trx: Db, id: string, count: number): Promise<void> {
  await trx
    .updateTable('skills')
    .set((eb) => ({ network_fetch_count: eb('network_fetch_count', '+', count) }))
    .where('id', '=', id)
    .execute()
}

/**
 * Makes a deleted skill that keeps what was said of a text which a skill has no more. Its slug is the
 * skill's id.
 */
export async function insertTombstone(
  trx: Db,
  id: string,
  of: { skillId: string; now: number; revision: number },
): Promise<void> {
  const now = sql`cast(${of.now} as bigint)`
  await sql`
    insert into skills (id, repository_id, agent_id, slug, name, description, tags, version, digest,
      created_at, updated_at, deleted_at, revision)
    select cast(${id} as text), repository_id, agent_id, id, '', '', '[]', version, digest,
      created_at, ${now}, ${now}, cast(${of.revision} as bigint)
    from skills where id = ${of.skillId}`.execute(trx)
}
