import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** The tables that are counted, with the column that says that a row is gone. */
const counted = { skills: 'deleted_at', users: 'removed_at', apps: 'deleted_at' } as const

/** How much a database holds. */
export type Contents = Readonly<Record<keyof typeof counted, number>>

/** Counts what a database of any version holds: it may have fewer tables and columns than today's. */
export async function countContents(db: Db): Promise<Contents> {
  const tables = await db.introspection.getTables()
  const count = async (name: keyof typeof counted): Promise<number> => {
    const columns = tables.find((table) => table.name === name)?.columns
    if (columns === undefined) return 0
    const gone = columns.some((column) => column.name === counted[name])
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}
      where ${gone ? sql`${sql.ref(counted[name])} is null` : sql`true`}`.execute(db)
    return rows[0]?.count ?? 0
  }
  return { skills: await count('skills'), users: await count('users'), apps: await count('apps') }
}
