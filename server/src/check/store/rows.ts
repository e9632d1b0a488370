import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** What of an agent counts: nothing while it is blocked. */
const unblocked = (agent: string) =>
  sql`exists (select 1 from agents where agents.id = ${sql.ref(agent)} and blocked_at is null)`

/** Rows that disagree with others, by what is wrong with them; each query is consistent by itself. */
const disagreements = {
  'versions whose skill is missing': sql`
    select skill_id as id from skill_versions
    where not exists (select 1 from skills where skills.id = skill_id)`,
  'skills without the text of their current version': sql`
    select id from skills where deleted_at is null and not exists (
      select 1 from skill_versions where skill_id = skills.id
      and skill_versions.version = skills.version and skill_versions.digest = skills.digest)`,
  'versions whose number of files differs from their files': sql`
    select skill_id as id from skill_versions where file_count <> (
      select count(*) from version_files where version_files.skill_id = skill_versions.skill_id
      and version_files.version = skill_versions.version)`,
  'skills whose number of stars differs from their stars': sql`
    select id from skills where deleted_at is null and star_count <> (
      select count(*) from stars where skill_id = skills.id and counted = 1
      and ${unblocked('stars.agent_id')})`,
  'repositories whose number of stars differs from their stars': sql`
    select id from repositories where star_count <> upstream_stars + (
      select count(distinct stars.agent_id) from stars join skills on skills.id = stars.skill_id
      where stars.repository_id = repositories.id and counted = 1 and skills.state <> 'hidden'
      and skills.deleted_at is null
      and ${unblocked('stars.agent_id')})`,
  'skills whose number of feedback differs from their feedback': sql`
    select id from skills where deleted_at is null and (
      feedback_count <> (select count(*) from feedback where skill_id = skills.id
        and ${unblocked('feedback.agent_id')})
      or helpful_count <> (select count(*) from feedback where skill_id = skills.id and helpful = 1
        and ${unblocked('feedback.agent_id')}))`,
  'stars that are with another repository than their skill': sql`
    select skill_id as id from stars join skills on skills.id = stars.skill_id
    where skills.repository_id <> stars.repository_id`,
  'skills of another agent than their repository': sql`
    select skills.id as id from skills join repositories on repositories.id = skills.repository_id
    where skills.agent_id <> repositories.agent_id and skills.deleted_at is null`,
} as const

/** What can disagree. */
export type Disagreement = keyof typeof disagreements

export const allDisagreements = Object.keys(disagreements) as Disagreement[]

/** The ids of rows that disagree, at most `limit`, and how many there are. */
export async function findDisagreeing(
  db: Db,
  which: Disagreement,
  limit: number,
): Promise<{ ids: string[]; count: number }> {
  const { rows } = await sql<{ id: string; count: number }>`
    select id, count(*) over () as count from (${disagreements[which]}) as found
    order by id limit ${limit}`.execute(db)
  return { ids: rows.map(({ id }) => id), count: rows[0]?.count ?? 0 }
}

/** A version's text, and where it stands among all. */
export interface StoredText {
  readonly skillId: string
  readonly version: number
  readonly digest: string
  readonly readme: string
}

/** Texts in their order from behind `after` on. */
export async function listStoredTexts(
  db: Db,
  after: Pick<StoredText, 'skillId' | 'version'>,
  limit: number,
): Promise<StoredText[]> {
  return db
    .selectFrom('skill_versions')
    .select(['skill_id as skillId', 'version', 'digest', 'readme'])
    .where((eb) =>
      eb(eb.refTuple('skill_id', 'version'), '>', eb.tuple(after.skillId, after.version)),
    )
    .orderBy('skill_id')
    .orderBy('version')
    .limit(limit)
    .execute()
}
