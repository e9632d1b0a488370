import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { dayLength } from '../runtime/time.ts'

/** The tables that grow with the use of a server, without deleted rows. */
const growing = {
  skills: sql`skills where deleted_at is null`,
  versions: sql`skill_versions`,
  agents: sql`agents`,
  users: sql`users where removed_at is null`,
  apps: sql`apps where deleted_at is null`,
  grants: sql`grants where ended_at is null`,
}

/** Rows that may need the operator. */
const open = {
  /** Those that `listOpenReports` lists. */
  openReports: sql`reports join skills on skills.id = reports.skill_id
    where resolved_at is null and (deleted_at is null or skills.state <> 'hidden')`,
  pendingUsers: sql`users where removed_at is null and disabled_at is null and verified = 0`,
  undeliveredWebhooks: sql`webhook_events where done_at is not null and delivered_at is null`,
}

/** Counts the rows of each table, and those that were added in the last 30 days. */
export async function countGrowth(db: Db, now: number) {
  const since = now - 30 * dayLength
  const growth: Record<string, { total: number; month: number }> = {}
  for (const [name, from] of Object.entries(growing)) {
    const { rows } = await sql<{ total: number; month: number }>`select count(*) as total,
      count(case when created_at > ${since} then 1 end) as month from ${from}`.execute(db)
    if (rows[0]) growth[name] = rows[0]
  }
  return growth
}

export async function countOpen(db: Db): Promise<Record<string, number>> {
  const counts = Object.entries(open).map(
    ([name, from]) => sql`(select count(*) from ${from}) as ${sql.ref(name)}`,
  )
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db)
  return rows[0] ?? {}
}
