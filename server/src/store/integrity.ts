import { sql } from 'kysely'
import { isPostgres } from '../db/handle.ts'
import type { Db } from '../db/open.ts'

/** Lists damaged pages, indexes and references of SQLite. Postgres has its own checks. */
export async function listFaults(db: Db): Promise<string[]> {
  if (isPostgres(db)) return []
  const { rows } = await sql<{ fault: string }>`
    select integrity_check as fault from pragma_integrity_check where integrity_check <> 'ok'
    union all
    select count(*) || ' rows of ' || "table" || ' refer to missing rows of ' || parent
    from pragma_foreign_key_check group by "table", parent`.execute(db)
  return rows.map(({ fault }) => fault)
}

/** The text of a version, with its expected digest. */
export interface StoredText {
  readonly skillId: string
  readonly version: number
  readonly digest: string
  readonly readme: string
}

/** Lists up to 500 texts by skill and version, after the given one. */
export const listStoredTexts = (
  db: Db,
  { skillId, version }: Pick<StoredText, 'skillId' | 'version'> = { skillId: '', version: 0 },
): Promise<StoredText[]> =>
  db
    .selectFrom('skill_versions')
    .select(['skill_id as skillId', 'version', 'digest', 'readme'])
    .where((eb) => eb(eb.refTuple('skill_id', 'version'), '>', eb.tuple(skillId, version)))
    .orderBy('skill_id')
    .orderBy('version')
    .limit(500)
    .execute()
