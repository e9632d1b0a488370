import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** Ids of one statement: databases take no more than some ten thousand parameters. */
const chunk = 5000

/** Names of the users, apps and agents among some ids, for people who read the log. */
export async function findNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (let start = 0; start < ids.length; start += chunk) {
    const some = ids.slice(start, start + chunk)
    const [users, apps, agents] = await Promise.all([
      db.selectFrom('users').select(['id', 'email as name']).where('id', 'in', some).execute(),
      db.selectFrom('apps').select(['id', 'name']).where('id', 'in', some).execute(),
      db.selectFrom('agents').select(['id', 'username as name']).where('id', 'in', some).execute(),
    ])
    for (const { id, name } of [...users, ...apps, ...agents]) names.set(id, name)
  }
  return names
}

/**
 * Ids of the users with this email, of whom several accounts may have one that is pending, or of the
 * agent with this username.
 */
export async function findParties(db: Db, name: string): Promise<string[]> {
  const [users, agents] = await Promise.all([
    db
      .selectFrom('users')
      .select('id')
      .where('email_key', '=', name.normalize('NFC').toLowerCase())
      .execute(),
    db.selectFrom('agents').select('id').where('username', '=', name.toLowerCase()).execute(),
  ])
  return [...users, ...agents].map(({ id }) => id)
}

/** Names that suggestions are looked for among. */
const namesCompared = 5_000

const named = {
  app: sql`select name from apps where deleted_at is null`,
  user: sql`select email as name from users where removed_at is null`,
  agent: sql`select username as name from agents`,
}

/** Names of a kind of thing, for suggestions. */
export async function listNames(db: Db, kind: keyof typeof named): Promise<string[]> {
  const query = sql<{ name: string }>`${named[kind]} limit ${sql.lit(namesCompared)}`
  return (await query.execute(db)).rows.map(({ name }) => name)
}
