import { sql } from 'kysely'
import { isPostgres } from '../db/handle.ts'
import type { Db } from '../db/open.ts'

/** The number of rows, and how many were added in the last day, week and 30 days. */
interface Growth {
  total: number
  day: number
  week: number
  month: number
}

const skills = sql`skills where deleted_at is null`
const users = sql`users where removed_at is null`
const apps = sql`apps where deleted_at is null`

const growingTables = {
  skills,
  versions: sql`skill_versions`,
  agents: sql`agents`,
  users,
  apps,
  grants: sql`grants where ended_at is null`,
}

const dayMs = 86_400_000

/** Counts skills, versions, agents, users, apps and grants. */
export async function countGrowth(db: Db, now: number): Promise<Record<string, Growth>> {
  const since = (days: number) =>
    sql<number>`count(case when created_at > ${now - days * dayMs} then 1 end)`
  const growth: Record<string, Growth> = {}
  for (const [name, from] of Object.entries(growingTables)) {
    const { rows } = await sql<Growth>`
      select count(*) as total, ${since(1)} as day, ${since(7)} as week, ${since(30)} as month
      from ${from}`.execute(db)
    if (rows[0]) growth[name] = rows[0]
  }
  return growth
}

/** Rows in a state that needs attention or that is live at `now`, in ms. */
const states = (now: number) => ({
  hiddenSkills: sql`${skills} and state = 'hidden'`,
  openReports: sql`reports where resolved_at is null`,
  blockedAgents: sql`agents where blocked_at is not null`,
  accounts: sql`accounts`,
  pendingUsers: sql`${users} and disabled_at is null and verified = 0`,
  disabledUsers: sql`${users} and disabled_at is not null`,
  disabledApps: sql`${apps} and disabled_at is not null`,
  apiKeys: sql`api_keys where revoked_at is null and (expires_at is null or expires_at > ${now})`,
  accessTokens: sql`access_tokens left join grants on grants.id = access_tokens.grant_id
    where access_tokens.expires_at > ${now} and access_tokens.revoked_at is null
    and (access_tokens.grant_id is null or (grants.id is not null and grants.ended_at is null))`,
  refreshTokens: sql`refresh_tokens join grants on grants.id = refresh_tokens.grant_id
    where refresh_tokens.expires_at > ${now} and refresh_tokens.used_at is null and grants.ended_at is null`,
  sessions: sql`sessions where expires_at > ${now}`,
  webhooksDue: sql`webhook_events where next_attempt_at <= ${now}`,
  webhooksWaiting: sql`webhook_events where next_attempt_at > ${now}`,
  webhooksGivenUp: sql`webhook_events where done_at is not null and delivered_at is null`,
})

export async function countStates(db: Db, now: number): Promise<Record<string, number>> {
  const counts = Object.entries(states(now)).map(
    ([name, from]) => sql`(select count(*) from ${from}) as ${sql.ref(name)}`,
  )
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db)
  return rows[0] ?? {}
}

export async function databaseBytes(db: Db): Promise<number> {
  const query = isPostgres(db)
    ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
    : sql<{ bytes: number }>`select page_count * page_size as bytes
        from pragma_page_count(), pragma_page_size()`
  const { rows } = await query.execute(db)
  return rows[0]?.bytes ?? 0
}
