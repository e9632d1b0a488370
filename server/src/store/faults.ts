import { sql } from 'kysely'
import { isPostgres } from '../db/handle.ts'
import type { Db } from '../db/open.ts'

/** Lists damaged pages and indexes (SQLite), or invalid constraints and indexes (Postgres). */
export async function listFaults(db: Db): Promise<string[]> {
  if (isPostgres(db)) return listInvalidObjects(db)
  const { rows } = await sql<{ fault: string }>`
    select integrity_check as fault from pragma_integrity_check`.execute(db)
  return rows.map(({ fault }) => fault).filter((fault) => fault !== 'ok')
}

async function listInvalidObjects(db: Db): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select 'constraint ' || conname || ' of ' || conrelid::regclass as fault from pg_constraint
    where not convalidated and connamespace = current_schema()::regnamespace
    union all
    select 'index ' || indexrelid::regclass from pg_index join pg_class on pg_class.oid = indexrelid
    where not (indisvalid and indisready) and relnamespace = current_schema()::regnamespace`.execute(
    db,
  )
  return rows.map(({ fault }) => `${fault} is not valid`)
}

/** Counts rows that refer to a missing row, by table. Postgres allows no such rows. */
export async function listBrokenReferences(db: Db): Promise<string[]> {
  if (isPostgres(db)) return []
  const { rows } = await sql<{ child: string; parent: string; count: number }>`
    select "table" as child, parent, count(*) as count from pragma_foreign_key_check
    group by 1, 2 order by 1, 2`.execute(db)
  return rows.map(({ child, parent, count }) => `${count} from ${child} to ${parent}`)
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
