import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { recountRepositories, recountSkills } from './counts.ts'

/** A version of a skill, or all its versions. */
export interface VersionSelection {
  skillId: string
  version?: number
}

interface Target {
  skillId: string
  version: number
  repositoryId: string
}

/** `helpful` includes stars. */
export type Side = 'helpful' | 'unhelpful'

/** Moves judgements of one side to another text, except those of agents that judged it too. */
export async function moveJudgements(trx: Db, from: VersionSelection, to: Target, side: Side) {
  const helpful = side === 'helpful' ? 1 : 0
  let isMoved = false
  for (const table of ['votes', 'feedback', 'stars'] as const) {
    if (table === 'stars' && side === 'unhelpful') continue
    const day = table === 'feedback' ? sql`and existing.day = feedback.day` : sql``
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} set skill_id = ${to.skillId}, version = ${to.version}
        ${table === 'stars' ? sql`, repository_id = ${to.repositoryId}` : sql``}
      where skill_id = ${from.skillId}
        ${from.version === undefined ? sql`` : sql`and version = ${from.version}`}
        ${table === 'stars' ? sql`` : sql`and helpful = ${sql.lit(helpful)}`}
        and not exists (select 1 from ${sql.table(table)} as existing
          where existing.skill_id = ${to.skillId}
          and existing.agent_id = ${sql.ref(`${table}.agent_id`)} ${day})`.execute(trx)
    isMoved ||= numAffectedRows > 0n
  }
  return isMoved
}

/** Moves open reports to another skill, except those of agents and networks that reported it. */
export async function moveReports(trx: Db, from: VersionSelection, to: Target): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update reports set skill_id = ${to.skillId}, version = ${to.version}
    where skill_id = ${from.skillId} and resolved_at is null
      ${from.version === undefined ? sql`` : sql`and version = ${from.version}`}
      and not exists (select 1 from reports as others where others.skill_id = ${to.skillId}
        and others.resolved_at is null
        and (others.agent_id = reports.agent_id or others.network = reports.network))`.execute(trx)
  return numAffectedRows > 0n
}

/** Makes copies of one skill copies of another. */
export const moveOriginal = (trx: Db, from: string, to: string, revision: number) =>
  trx
    .updateTable('skills')
    .set({ copy_of: to, revision })
    .where('copy_of', '=', from)
    .where('id', '<>', to)
    .execute()

/** Recounts the skills that an agent has judged, and the stars of their repositories. */
export async function recountJudgementsOf(trx: Db, agentId: string, revision: number) {
  // Every agent with feedback also has a vote.
  const judged = (table: 'votes' | 'stars') =>
    trx.selectFrom(table).select('skill_id').where('agent_id', '=', agentId)
  await recountSkills(trx, revision)
    .where('id', 'in', judged('votes').union(judged('stars')))
    .execute()
  const starred = trx.selectFrom('stars').select('repository_id').where('agent_id', '=', agentId)
  await recountRepositories(trx).where('id', 'in', starred).execute()
}

/** Permanently excludes judgements by an owner, its members and its network from the owner's skills. */
export async function excludeOwnJudgements(
  trx: Db,
  { id, network }: { id: string; network: string | null },
  revision: number,
): Promise<void> {
  const skills = trx.selectFrom('skills').select('id').where('agent_id', '=', id)
  const isOwn = (agent: string, cast: string) => sql<boolean>`(${sql.ref(agent)} = ${id}
    or ${sql.ref(agent)} in (select agent_id from members where organization_id = ${id})
    or ${sql.ref(cast)} = ${network}
    or ${sql.ref(agent)} in (select id from agents where network = ${network}))`
  await trx
    .updateTable('votes')
    .set({ weight: 0 })
    .where('skill_id', 'in', skills)
    .where(isOwn('agent_id', 'cast_network'))
    .execute()
  await trx
    .updateTable('stars')
    .set({ counted: 0 })
    .where('skill_id', 'in', skills)
    .where(isOwn('agent_id', 'network'))
    .execute()
  await recountSkills(trx, revision).where('id', 'in', skills).execute()
  await recountRepositories(trx).where('agent_id', '=', id).execute()
}

/** Inserts a deleted skill that holds the judgements of a replaced text. Its slug is its id. */
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
