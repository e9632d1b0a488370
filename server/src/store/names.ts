import { sql } from 'kysely'
import { type Db, valuesOf } from '../db/query.ts'

/** Ids per statement. Databases limit the parameters of a statement to some ten thousand. */
const chunkSize = 5000

/** Returns the names of the users, apps, agents and accounts among the ids. */
export async function findNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (let start = 0; start < ids.length; start += chunkSize) {
    const chunk = ids.slice(start, start + chunkSize)
    const [users, apps, agents, accounts] = await Promise.all([
      db.selectFrom('users').select(['id', 'email as name']).where('id', 'in', chunk).execute(),
      db.selectFrom('apps').select(['id', 'name']).where('id', 'in', chunk).execute(),
      db.selectFrom('agents').select(['id', 'username as name']).where('id', 'in', chunk).execute(),
      db.selectFrom('accounts').select(['id', 'name']).where('id', 'in', chunk).execute(),
    ])
    for (const { id, name } of [...users, ...apps, ...agents, ...accounts]) names.set(id, name)
  }
  return names
}

/**
 * Returns the ids of the users with an email, which can be pending in several accounts, and of the
 * agent with a username.
 */
export function findParties(db: Db, name: string): Promise<string[]> {
  const emailKey = name.normalize('NFC').toLowerCase()
  const users = db.selectFrom('users').select('id').where('email_key', '=', emailKey)
  const agents = db.selectFrom('agents').select('id').where('username', '=', name.toLowerCase())
  return valuesOf(users.union(agents), 'id')
}

const maxNames = 5_000

const namesOfKind = {
  account: sql`select name from accounts`,
  app: sql`select name from apps where deleted_at is null`,
  user: sql`select email as name from users where removed_at is null`,
  agent: sql`select username as name from agents`,
}

export async function listNames(db: Db, kind: keyof typeof namesOfKind): Promise<string[]> {
  const query = sql<{ name: string }>`${namesOfKind[kind]} limit ${sql.lit(maxNames)}`
  return (await query.execute(db)).rows.map(({ name }) => name)
}
