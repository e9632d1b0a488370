import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** How much a database holds. */
export interface Contents {
  readonly skills: number
  readonly users: number
  readonly apps: number
}

export async function countContents(db: Db): Promise<Contents> {
  const { rows } = await sql<Contents>`select
    (select count(*) from skills where deleted_at is null) as skills,
    (select count(*) from users where removed_at is null) as users,
    (select count(*) from apps where deleted_at is null) as apps`.execute(db)
  return rows[0] ?? { skills: 0, users: 0, apps: 0 }
}
