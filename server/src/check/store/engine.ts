import { sql } from 'kysely'
import { isPostgres } from '../../db/handle.ts'
import type { Db } from '../../db/open.ts'

/** What the engine itself finds wrong: broken pages and indexes (SQLite); constraints and indexes that do not hold (Postgres). */
export async function listFaults(db: Db): Promise<string[]> {
  if (isPostgres(db)) return listInvalid(db)
  const { rows } = await sql<{ fault: string }>`
    select integrity_check as fault from pragma_integrity_check`.execute(db)
  return rows.map(({ fault }) => fault).filter((fault) => fault !== 'ok')
}

async function listInvalid(db: Db): Promise<string[]> {
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

/** Rows that refer to a row which is missing, by the two tables. Postgres lets none come about. */
export async function listBrokenReferences(db: Db): Promise<string[]> {
  if (isPostgres(db)) return []
  const { rows } = await sql<{ child: string; parent: string; count: number }>`
    select "table" as child, parent, count(*) as count from pragma_foreign_key_check
    group by 1, 2 order by 1, 2`.execute(db)
  return rows.map(({ child, parent, count }) => `${count} of ${child} without ${parent}`)
}
