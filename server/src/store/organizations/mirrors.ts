import { columnsOf, type Db, type Fields, hasRow, toRow } from '../../db/query.ts'

const fields = [
  ...(['id', 'organizationId', 'url', 'apiKey', 'every', 'cursor'] as const),
  ...(['nextRunAt', 'lastRunAt', 'result', 'problems'] as const),
] as const

/** A source whose skills an organization publishes too. Times are milliseconds since 1970. */
type MirrorRecord = Pick<Fields<'mirrors'>, (typeof fields)[number]>

/** A mirror with the username of its organization. */
export type Mirror = MirrorRecord & { readonly organization: string }

/** Stores a mirror. Returns false if the organization has one of the same address. */
export const insertMirror = (trx: Db, mirror: MirrorRecord) =>
  hasRow(
    trx
      .insertInto('mirrors')
      .values(toRow(mirror, fields))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  )

/** Lists the mirrors of organizations that can publish, by id. */
export const listMirrors = (db: Db): Promise<Mirror[]> =>
  db
    .selectFrom('mirrors')
    .innerJoin('agents', 'agents.id', 'mirrors.organization_id')
    .select(columnsOf('mirrors', fields))
    .select('agents.username as organization')
    .where('agents.deleted_at', 'is', null)
    .where('agents.blocked_reason', 'is', null)
    .orderBy('mirrors.id')
    .execute()

/** Changes a mirror that is due at `dueAt`. Returns false if it is not. */
export const updateMirror = (
  trx: Db,
  id: string,
  changes: Partial<MirrorRecord>,
  dueAt = Number.MAX_SAFE_INTEGER,
): Promise<boolean> =>
  hasRow(
    trx
      .updateTable('mirrors')
      .set(toRow(changes, Object.keys(changes) as (keyof MirrorRecord)[]))
      .where('id', '=', id)
      .where('next_run_at', '<=', dueAt)
      .returning('id'),
  )

export const deleteMirror = (trx: Db, id: string) =>
  trx.deleteFrom('mirrors').where('id', '=', id).execute()

const mirrored = [
  ...(['mirrorId', 'source', 'version', 'digest', 'stamp', 'skillId', 'ownVersion'] as const),
  'isWithdrawn',
] as const

/** A version at the source of a mirror, and what it is here. */
export type MirroredVersion = Pick<Fields<'mirrored_versions'>, (typeof mirrored)[number]>

/** Lists the versions that a mirror has published, oldest first, of one skill or of all. */
export const listMirrored = (
  db: Db,
  mirrorId: string,
  source?: string,
): Promise<MirroredVersion[]> =>
  db
    .selectFrom('mirrored_versions')
    .select(columnsOf('mirrored_versions', mirrored))
    .where('mirror_id', '=', mirrorId)
    .$if(source !== undefined, (query) => query.where('source', '=', source ?? ''))
    .orderBy('own_version')
    .execute()

export const putMirrored = (trx: Db, version: MirroredVersion) => {
  const row = toRow(version, mirrored)
  return trx
    .insertInto('mirrored_versions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['mirror_id', 'source', 'version']).doUpdateSet(row))
    .execute()
}
