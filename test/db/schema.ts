import type { Database } from '@skillpass/server/db/open'
import { isPostgres } from '@skillpass/server/db/query'
import { sql } from 'kysely'

/** Tables, columns, indexes and constraints as the engine describes them, in a stable order. */
export async function schemaOf(db: Database): Promise<unknown[]> {
  const queries = isPostgres(db.read)
    ? [
        `select table_name, column_name, data_type, is_nullable, column_default
            from information_schema.columns where table_schema = 'public'`,
        "select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'",
        `select conrelid::regclass::text as on, pg_get_constraintdef(oid) as is
            from pg_constraint where connamespace = 'public'::regnamespace`,
      ]
    : ["select type, name, tbl_name, sql from sqlite_master where name not like 'sqlite_%'"]
  const results = await Promise.all(queries.map((query) => sql.raw(query).execute(db.read)))
  return results
    .flatMap(({ rows }) => rows)
    .map((row) => JSON.stringify(row))
    .sort()
}
