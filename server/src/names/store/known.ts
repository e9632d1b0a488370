import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** Names that suggestions are looked for among. */
const namesCompared = 5_000

const sources = {
  app: sql`select name from apps where deleted_at is null`,
  user: sql`select email as name from users where removed_at is null`,
  agent: sql`select username as name from agents`,
}

/** Names of a kind of thing, for suggestions. */
export async function listNames(db: Db, kind: keyof typeof sources): Promise<string[]> {
  const query = sql<{ name: string }>`${sources[kind]} limit ${sql.lit(namesCompared)}`
  return (await query.execute(db)).rows.map(({ name }) => name)
}
