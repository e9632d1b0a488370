import { sql } from 'kysely'
import { columnsOf, type Fields } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { type ChangePlace, changedAfter } from './revision.ts'

/** How far a space has come, and until when (ms) its holder alone goes on; nothing if it is new. */
export async function findProgress(
  db: Db,
  space: string,
): Promise<(ChangePlace & { holder: string; leasedUntil: number }) | undefined> {
  return db
    .selectFrom('embedding_spaces')
    .select(['revision', 'skill_id as id', 'holder', 'leased_until as leasedUntil'])
    .where('space', '=', space)
    .executeTakeFirst()
}

/** Takes a space, or goes on with it, until `until`; nothing while another node has it. */
export async function takeSpace(
  trx: Db,
  space: { key: string; model: string; holder: string; now: number; until: number },
): Promise<ChangePlace | undefined> {
  return trx
    .insertInto('embedding_spaces')
    .values({
      space: space.key,
      model: space.model,
      revision: 0,
      skill_id: '',
      holder: space.holder,
      leased_until: space.until,
    })
    .onConflict((conflict) =>
      conflict
        .column('space')
        .doUpdateSet({ holder: space.holder, leased_until: space.until })
        .where((eb) =>
          eb.or([
            eb('embedding_spaces.holder', '=', space.holder),
            eb('embedding_spaces.leased_until', '<', space.now),
          ]),
        ),
    )
    .returning(['revision', 'skill_id as id'])
    .executeTakeFirst()
}

/** Moves on, unless another node has taken the space meanwhile. */
export async function saveProgress(
  trx: Db,
  space: string,
  holder: string,
  cursor: ChangePlace,
): Promise<void> {
  await trx
    .updateTable('embedding_spaces')
    .set({ revision: cursor.revision, skill_id: cursor.id })
    .where('space', '=', space)
    .where('holder', '=', holder)
    .execute()
}

/** Gives a space up before its lease ends, if it is the holder's. */
export async function releaseSpace(
  trx: Db,
  space: string,
  holder: string,
  now: number,
): Promise<void> {
  await trx
    .updateTable('embedding_spaces')
    .set({ leased_until: now - 1 })
    .where('space', '=', space)
    .where('holder', '=', holder)
    .execute()
}

const embeddable = [
  ...(['id', 'revision', 'name', 'description', 'indexedDescription'] as const),
  ...(['digest', 'version'] as const),
]

/** A skill as far as its vector is concerned. */
export interface EmbeddableSkill extends Pick<Fields<'skills'>, (typeof embeddable)[number]> {
  deleted: boolean
  /** What the vector that is there was made from; null where there is none. */
  embeddedSource: string | null
}

/** Skills changed after `last`, oldest change first. */
export async function listEmbeddableAfter(
  db: Db,
  space: string,
  last: ChangePlace,
  limit: number,
): Promise<EmbeddableSkill[]> {
  const rows = await db
    .selectFrom('skills')
    .leftJoin('embeddings', (join) =>
      join.onRef('embeddings.skill_id', '=', 'skills.id').on('embeddings.space', '=', space),
    )
    .select(columnsOf('skills', embeddable))
    .select(['skills.deleted_at', 'embeddings.source as embeddedSource'])
    .where(changedAfter(last))
    .orderBy('skills.revision')
    .orderBy('skills.id')
    .limit(limit)
    .execute()
  return rows.map(({ deleted_at, ...row }) => ({ ...row, deleted: deleted_at !== null }))
}

/** The first `length` characters of versions' readmes, by skill id. */
export async function findReadmeBeginnings(
  db: Db,
  skills: readonly { id: string; version: number }[],
  length: number,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('skill_versions')
    .select(['skill_id', sql<string>`substr(readme, 1, ${length})`.as('beginning')])
    .where((eb) =>
      eb.or(
        skills.map(({ id, version }) =>
          eb.and([eb('skill_id', '=', id), eb('version', '=', version)]),
        ),
      ),
    )
    .execute()
  return new Map(rows.map(({ skill_id, beginning }) => [skill_id, beginning]))
}

/** A skill's vector, one byte for each number, and what it was made from. */
export interface SkillVector {
  skillId: string
  source: string
  vector: Int8Array
}

/** Keeps vectors in place of the skills' former ones of the same space. */
export async function saveVectors(
  trx: Db,
  space: string,
  vectors: readonly SkillVector[],
): Promise<void> {
  if (vectors.length === 0) return
  await trx
    .insertInto('embeddings')
    .values(
      vectors.map(({ skillId, source, vector }) => ({
        skill_id: skillId,
        space,
        source,
        vector: Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['skill_id', 'space']).doUpdateSet((eb) => ({
        source: eb.ref('excluded.source'),
        vector: eb.ref('excluded.vector'),
      })),
    )
    .execute()
}

/** The vectors of some skills, by id; those that have none are left out. */
export async function findVectors(
  db: Db,
  space: string,
  skillIds: readonly string[],
): Promise<Map<string, Int8Array>> {
  if (skillIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('embeddings')
    .select(['skill_id', 'vector'])
    .where('skill_id', 'in', skillIds)
    .where('space', '=', space)
    .execute()
  return new Map(
    rows.map(({ skill_id, vector }) => [
      skill_id,
      new Int8Array(vector.buffer, vector.byteOffset, vector.byteLength),
    ]),
  )
}

/**
 * Removes up to `limit` vectors of a space that no node has used since `time`, ms; gives how many. The
 * space starts over should it come back.
 */
export async function removeUnusedVectors(trx: Db, time: number, limit: number): Promise<number> {
  const unused = await trx
    .updateTable('embedding_spaces')
    .set({ revision: 0, skill_id: '' })
    .where('space', '=', (eb) =>
      eb
        .selectFrom('embedding_spaces')
        .select('space')
        .where('leased_until', '<', time)
        .orderBy('leased_until')
        .limit(1),
    )
    .returning('space')
    .executeTakeFirst()
  if (!unused) return 0
  const { numDeletedRows } = await trx
    .deleteFrom('embeddings')
    .where('space', '=', unused.space)
    .where('skill_id', 'in', (eb) =>
      eb.selectFrom('embeddings').select('skill_id').where('space', '=', unused.space).limit(limit),
    )
    .executeTakeFirstOrThrow()
  const count = Number(numDeletedRows)
  if (count < limit) {
    await trx.deleteFrom('embedding_spaces').where('space', '=', unused.space).execute()
  }
  return count
}
