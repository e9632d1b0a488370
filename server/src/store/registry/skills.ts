import type { ExpressionBuilder } from 'kysely'
import { countRows, type Db, type Fields, prepared, toRow, valuesOf } from '../../db/query.ts'
import type { Schema } from '../../db/schema.ts'
import { markBlobsUnused } from './blobs.ts'
import { type ReadableOwners, selectReadableIds } from './repositories.ts'
import { type ChangePosition, changedAfter, isShown } from './revision.ts'
import {
  type CopyClaim,
  type SkillRecord,
  selectSkills,
  toRecord,
  toVerdictColumns,
  type Verdict,
  writtenFields,
} from './skill-record.ts'

/** Returns a skill by id, including a hidden one, unless it is deleted. */
export async function findSkill(db: Db, id: string): Promise<SkillRecord | undefined> {
  const [row] = await byId(db, { id })
  return row && toRecord(row)
}

const byId = prepared((db, { id }: { id: string }) =>
  selectSkills(db).where('skills.id', '=', id).where('skills.deleted_at', 'is', null),
)

/** Returns a skill by slug, including a hidden one, unless it is deleted. */
export async function findSkillBySlug(
  db: Db,
  repositoryId: string,
  slug: string,
): Promise<SkillRecord | undefined> {
  const [row] = await bySlug(db, { repositoryId, slug })
  return row && toRecord(row)
}

const bySlug = prepared((db, at: { repositoryId: string; slug: string }) =>
  selectSkills(db)
    .where('skills.repository_id', '=', at.repositoryId)
    .where((eb) => eb.and({ 'skills.slug': at.slug, 'skills.deleted_at': null })),
)

/** Lists visible skills with ids after `id`, sorted by id, or those with some verdicts. */
export async function listSkillsAfter(
  db: Db,
  id: string,
  limit: number,
  verdicts?: readonly Verdict[],
): Promise<SkillRecord[]> {
  const rows = await selectSkills(db)
    .where('skills.id', '>', id)
    .where(isShown)
    .$if(verdicts !== undefined, (query) => query.where('skills.verdict', 'in', verdicts ?? []))
    .orderBy('skills.id')
    .limit(limit)
    .execute()
  return rows.map(toRecord)
}

/** Lists the visible skills of a repository or an agent. */
export async function listShownSkills(db: Db, of: 'repository_id' | 'agent_id', id: string) {
  const query = selectSkills(db).where(`skills.${of}`, '=', id).where(isShown)
  return (await query.orderBy('skills.id').execute()).map(toRecord)
}

/** Selects the skills of an agent or organization that a reader may read. */
const selectReadable = (db: Db, agentId: string, reader: ReadableOwners) =>
  db
    .selectFrom('skills')
    .where('skills.agent_id', '=', agentId)
    .where(isShown)
    .where('repository_id', 'in', selectReadableIds(db, agentId, reader))

export async function countAgentSkills(db: Db, agentId: string, reader: ReadableOwners) {
  const row = await selectReadable(db, agentId, reader)
    .select((eb) => [
      eb.fn.countAll<number>().as('skillCount'),
      eb.fn.sum<number | null>('star_count').as('starCount'),
    ])
    .executeTakeFirstOrThrow()
  return { skillCount: row.skillCount, starCount: Number(row.starCount ?? 0) }
}

export const listAgentSkillIds = (
  db: Db,
  agentId: string,
  reader: ReadableOwners,
  limit: number,
): Promise<string[]> => {
  const ids = selectReadable(db, agentId, reader).select('skills.id')
  return valuesOf(ids.orderBy('created_at', 'desc').orderBy('skills.id').limit(limit), 'id')
}

export const countSkills = (db: Db) => countRows(db.selectFrom('skills').where(isShown))

/**
 * Lists skills changed after `last`, oldest change first. Removed skills were deleted or hidden, or
 * have no current version.
 */
export async function listChangesAfter(db: Db, last: ChangePosition, limit: number) {
  const rows = await selectSkills(db)
    .where(changedAfter(last))
    .orderBy('skills.revision')
    .orderBy('skills.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    skill: toRecord(row),
    isRemoved: row.deletedAt !== null || row.state === 'hidden' || row.version === 0,
  }))
}

const written = [...writtenFields, 'verdict', 'warnings'] as const

const toColumns = (skill: SkillRecord) => ({
  ...skill,
  ...toVerdictColumns(skill),
  tags: JSON.stringify(skill.tags),
  deprecated: skill.deprecated && JSON.stringify(skill.deprecated),
})

/** Throws `UniqueViolation` if the slug is taken in the skill's repository. */
export async function insertSkill(trx: Db, skill: SkillRecord): Promise<void> {
  const { id, createdAt, repository, owner } = skill
  const columns = { ...toColumns(skill), id, createdAt }
  await insert(trx, { ...columns, repositoryId: repository.id, agentId: owner.id })
}

const inserted = [...written, 'id', 'repositoryId', 'agentId', 'createdAt'] as const

const insert = prepared((db, row: Pick<Fields<'skills'>, (typeof inserted)[number]>) =>
  db.insertInto('skills').values(toRow(row, inserted)),
)

/** Updates the fields of a version. Throws `UniqueViolation` if the slug is taken. */
export async function updateSkillFields(trx: Db, skill: SkillRecord): Promise<void> {
  await trx
    .updateTable('skills')
    .set({
      ...toRow(toColumns(skill), [...written, 'passageTimes']),
      repository_id: skill.repository.id,
      agent_id: skill.owner.id,
    })
    .where('id', '=', skill.id)
    .execute()
}

/** Sets or, with null, clears the claim or decision that a skill is a copy. */
export const setCopyClaim = (
  trx: Db,
  id: string,
  claim: CopyClaim | null,
  { reason, revision }: { reason: string | null; revision: number },
) =>
  trx
    .updateTable('skills')
    .set({
      copy_of: claim?.copyOf ?? null,
      copy_by: claim?.by ?? null,
      copy_reason: reason,
      revision,
    })
    .where('id', '=', id)
    .execute()

/** Marks a skill as deleted. The row stays, so that other processes read the change. */
export const markSkillDeleted = (trx: Db, id: string, now: number, revision: number) =>
  trx
    .updateTable('skills')
    .set({ deleted_at: now, revision, star_count: 0 })
    .where('id', '=', id)
    .execute()

/**
 * Purges at most `limit` skills deleted before `time`, and returns their number. Their blobs are
 * unused from `now` on. Judged skills keep a row without texts, so that the registry recognizes a
 * republished text: permanently after an operator's decision, otherwise while there are open
 * reports or votes from after `votedBefore`.
 */
export async function purgeDeletedSkills(
  trx: Db,
  { time, votedBefore, now }: { time: number; votedBefore: number; now: number },
  limit: number,
): Promise<number> {
  const rows = await trx
    .selectFrom('skills')
    .select('id')
    .select((eb) => isJudged(eb, votedBefore).as('isJudged'))
    .where('deleted_at', '<', time)
    .where((eb) => eb.or([eb.not(isJudged(eb, votedBefore)), eb.exists(versionsOf(eb))]))
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await markBlobsUnused(trx, ids, now)
  const judged = rows.filter((row) => Boolean(row.isJudged)).map(({ id }) => id)
  const others = ids.filter((id) => !judged.includes(id))
  if (others.length > 0) await trx.deleteFrom('skills').where('id', 'in', others).execute()
  if (judged.length === 0) return ids.length
  for (const table of ['version_files', 'version_signatures', 'skill_versions'] as const) {
    await trx.deleteFrom(table).where('skill_id', 'in', judged).execute()
  }
  await trx
    .updateTable('skills')
    .set({ name: '', description: '', indexed_description: null, tags: '[]', warnings: null })
    .where('id', 'in', judged)
    .execute()
  return ids.length
}

const versionsOf = (eb: ExpressionBuilder<Schema, 'skills'>) =>
  eb
    .selectFrom('skill_versions')
    .select('skill_versions.version')
    .whereRef('skill_versions.skill_id', '=', 'skills.id')

/** Returns whether judgements of a deleted skill still apply to its text. */
const isJudged = (eb: ExpressionBuilder<Schema, 'skills'>, votedBefore: number) =>
  eb.or([
    eb('state', '<>', 'visible').$castTo<boolean>(),
    eb('copy_by', '=', 'operator'),
    eb.exists(
      eb
        .selectFrom('reports')
        .select('reports.id')
        .whereRef('reports.skill_id', '=', 'skills.id')
        .where('resolved_at', 'is', null),
    ),
    eb.exists(
      eb
        .selectFrom('votes')
        .select('votes.agent_id')
        .whereRef('votes.skill_id', '=', 'skills.id')
        .where('voted_at', '>=', votedBefore),
    ),
  ])
