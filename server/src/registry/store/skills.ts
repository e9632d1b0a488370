import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'
import type { RepositoryRecord } from './repositories.ts'

/** A live skill without its readme. Times are milliseconds since 1970. */
export interface SkillRecord {
  id: string
  slug: string
  name: string
  description: string
  /** The whole description, where an import had to cut it; the index reads it. */
  indexedDescription: string | null
  tags: readonly string[]
  version: number
  digest: string
  starCount: number
  fetchCount: number
  feedbackCount: number
  helpfulCount: number
  helpfulWeight: number
  unhelpfulWeight: number
  createdAt: number
  updatedAt: number
  /** Revision of the registry at its last change. */
  revision: number
  repository: RepositoryRecord
  owner: { id: string; username: string; displayName: string | null }
}

const select = (db: Db) =>
  db
    .selectFrom('skills')
    .innerJoin('repositories', 'repositories.id', 'skills.repository_id')
    .innerJoin('agents', 'agents.id', 'skills.agent_id')
    .select([
      'skills.id',
      'skills.slug',
      'skills.name',
      'skills.description',
      'skills.indexed_description',
      'skills.tags',
      'skills.version',
      'skills.digest',
      'skills.star_count',
      'skills.fetch_count',
      'skills.feedback_count',
      'skills.helpful_count',
      'skills.helpful_weight',
      'skills.unhelpful_weight',
      'skills.created_at',
      'skills.updated_at',
      'skills.deleted_at',
      'skills.revision',
      'repositories.id as repository_id',
      'repositories.agent_id as repository_agent_id',
      'repositories.owner as repository_owner',
      'repositories.name as repository_name',
      'repositories.star_count as repository_star_count',
      'repositories.download_count as repository_download_count',
      'agents.id as agent_id',
      'agents.username as agent_username',
      'agents.display_name as agent_display_name',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

const toRecord = (row: Row): SkillRecord => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  description: row.description,
  indexedDescription: row.indexed_description,
  tags: JSON.parse(row.tags) as string[],
  version: row.version,
  digest: row.digest,
  starCount: row.star_count,
  fetchCount: row.fetch_count,
  feedbackCount: row.feedback_count,
  helpfulCount: row.helpful_count,
  helpfulWeight: row.helpful_weight,
  unhelpfulWeight: row.unhelpful_weight,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  revision: row.revision,
  repository: {
    id: row.repository_id,
    agentId: row.repository_agent_id,
    owner: row.repository_owner,
    name: row.repository_name,
    starCount: row.repository_star_count,
    downloadCount: row.repository_download_count,
  },
  owner: {
    id: row.agent_id,
    username: row.agent_username,
    displayName: row.agent_display_name,
  },
})

/** The live skill with this id. */
export async function findSkill(db: Db, id: string): Promise<SkillRecord | undefined> {
  const [row] = await byId(db, { id })
  return row && toRecord(row)
}

const byId = prepared((db, { id }: { id: string }) =>
  select(db).where('skills.id', '=', id).where('skills.deleted_at', 'is', null),
)

/** The live skill with this slug in the repository. */
export async function findSkillBySlug(
  db: Db,
  repositoryId: string,
  slug: string,
): Promise<SkillRecord | undefined> {
  const [row] = await bySlug(db, { repositoryId, slug })
  return row && toRecord(row)
}

const bySlug = prepared((db, at: { repositoryId: string; slug: string }) =>
  select(db)
    .where('skills.repository_id', '=', at.repositoryId)
    .where('skills.slug', '=', at.slug)
    .where('skills.deleted_at', 'is', null),
)

/**
 * Live skills in the order of their ids, after `id`, with the readmes of their current versions;
 * null where that version is missing.
 */
export async function listSkillsAfter(
  db: Db,
  id: string,
  limit: number,
): Promise<{ skill: SkillRecord; readme: string | null }[]> {
  const rows = await select(db)
    // Not a join: for each page Postgres would merge all versions from the first one on.
    .select((eb) =>
      eb
        .selectFrom('skill_versions')
        .select('readme')
        .whereRef('skill_versions.skill_id', '=', 'skills.id')
        .whereRef('skill_versions.version', '=', 'skills.version')
        .as('readme'),
    )
    .where('skills.id', '>', id)
    .where('skills.deleted_at', 'is', null)
    .orderBy('skills.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ skill: toRecord(row), readme: row.readme }))
}

/**
 * Skills changed after `last`, oldest change first; `deleted` ones have left the registry. One
 * revision may have changed many skills, so within it the id tells how far a reader has come.
 */
export async function listChangesAfter(
  db: Db,
  last: { revision: number; id: string },
  limit: number,
): Promise<{ skill: SkillRecord; deleted: boolean }[]> {
  const rows = await select(db)
    // A range of the index, which Postgres does not see in the other condition alone.
    .where('skills.revision', '>=', last.revision)
    .where((eb) =>
      eb.or([eb('skills.revision', '>', last.revision), eb('skills.id', '>', last.id)]),
    )
    .orderBy('skills.revision')
    .orderBy('skills.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ skill: toRecord(row), deleted: row.deleted_at !== null }))
}

/** The parts of a skill that its owner writes. */
export interface SkillFields {
  slug: string
  name: string
  description: string
  indexedDescription: string | null
  tags: readonly string[]
  version: number
  digest: string
  updatedAt: number
  revision: number
}

const toColumns = (fields: SkillFields) => ({
  slug: fields.slug,
  name: fields.name,
  description: fields.description,
  indexed_description: fields.indexedDescription,
  tags: JSON.stringify(fields.tags),
  version: fields.version,
  digest: fields.digest,
  updated_at: fields.updatedAt,
  revision: fields.revision,
})

/** Keeps a new skill; false when the slug is taken in its repository. */
export async function insertSkill(
  trx: Db,
  skill: SkillFields & { id: string; repositoryId: string; agentId: string; createdAt: number },
): Promise<boolean> {
  const [row] = await insert(trx, {
    id: skill.id,
    repository_id: skill.repositoryId,
    agent_id: skill.agentId,
    created_at: skill.createdAt,
    ...toColumns(skill),
  })
  return row !== undefined
}

type NewRow = ReturnType<typeof toColumns> & {
  id: string
  repository_id: string
  agent_id: string
  created_at: number
}

const insert = prepared((db, row: NewRow) =>
  db
    .insertInto('skills')
    .values({
      id: row.id,
      repository_id: row.repository_id,
      agent_id: row.agent_id,
      created_at: row.created_at,
      slug: row.slug,
      name: row.name,
      description: row.description,
      indexed_description: row.indexed_description,
      tags: row.tags,
      version: row.version,
      digest: row.digest,
      updated_at: row.updated_at,
      revision: row.revision,
    })
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'slug']).where('deleted_at', 'is', null).doNothing(),
    )
    .returning('id'),
)

/** Writes the owner's fields. Throws `UniqueViolation` when the new slug is taken. */
export async function updateSkillFields(trx: Db, id: string, fields: SkillFields): Promise<void> {
  await trx.updateTable('skills').set(toColumns(fields)).where('id', '=', id).execute()
}

/** Takes a skill out of the registry; the row stays, so that other processes hear of it. */
export async function markSkillDeleted(
  trx: Db,
  id: string,
  now: number,
  revision: number,
): Promise<void> {
  await trx
    .updateTable('skills')
    .set({ deleted_at: now, revision, star_count: 0 })
    .where('id', '=', id)
    .execute()
}

/** Removes what was deleted before `time` for good, at most `limit` skills; gives their number. */
export async function purgeDeletedSkills(trx: Db, time: number, limit: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('skills')
    .where('id', 'in', (eb) =>
      eb.selectFrom('skills').select('id').where('deleted_at', '<', time).limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
