import { sql } from 'kysely'
import { isPostgres } from '../../db/handle.ts'
import type { Db } from '../../db/open.ts'

/** Rows of one kind: how many there are, and how many came within the last day, week and month. */
export interface Growth {
  total: number
  day: number
  week: number
  month: number
}

const dayMs = 86_400_000

/** What is counted: a table, the time at which a row came, and which rows count. */
const grown = {
  skills: ['skills', 'created_at', 'deleted_at is null'],
  versions: ['skill_versions', 'created_at', '1 = 1'],
  agents: ['agents', 'created_at', '1 = 1'],
  users: ['users', 'created_at', 'removed_at is null'],
  apps: ['apps', 'created_at', 'deleted_at is null'],
  grants: ['grants', 'created_at', 'ended_at is null'],
} as const

export type Grown = keyof typeof grown

/** How many there are of everything that grows. */
export async function countGrowth(db: Db, now: number): Promise<Record<Grown, Growth>> {
  const counts = await Promise.all(
    Object.entries(grown).map(async ([name, [table, time, which]]) => {
      const since = (days: number) =>
        sql<number>`count(case when ${sql.ref(time)} > ${now - days * dayMs} then 1 end)`
      const { rows } = await sql<Growth>`
        select count(*) as total, ${since(1)} as day, ${since(7)} as week, ${since(30)} as month
        from ${sql.table(table)} where ${sql.raw(which)}`.execute(db)
      return [name, rows[0]] as const
    }),
  )
  return Object.fromEntries(counts) as Record<Grown, Growth>
}

/** Other counts at `now` (ms), each a query by itself. */
const counted = {
  hiddenSkills: "from skills where deleted_at is null and state = 'hidden'",
  openReports: 'from reports where resolved_at is null',
  blockedAgents: 'from agents where blocked_at is not null',
  accounts: 'from accounts',
  pendingUsers: 'from users where removed_at is null and disabled_at is null and verified = 0',
  disabledUsers: 'from users where removed_at is null and disabled_at is not null',
  disabledApps: 'from apps where deleted_at is null and disabled_at is not null',
  apiKeys: 'from api_keys where revoked_at is null and (expires_at is null or expires_at > $now)',
  accessTokens: `from access_tokens left join grants on grants.id = access_tokens.grant_id
    where access_tokens.expires_at > $now and access_tokens.revoked_at is null
    and (access_tokens.grant_id is null or (grants.id is not null and grants.ended_at is null))`,
  refreshTokens: `from refresh_tokens join grants on grants.id = refresh_tokens.grant_id
    where refresh_tokens.expires_at > $now and refresh_tokens.used_at is null and grants.ended_at is null`,
  sessions: 'from sessions where expires_at > $now',
  webhooksDue: 'from webhook_events where next_attempt_at <= $now',
  webhooksWaiting: 'from webhook_events where next_attempt_at > $now',
  webhooksGivenUp: 'from webhook_events where done_at is not null and delivered_at is null',
} as const

export type Counted = keyof typeof counted

/** Counts of what is alive, waits or is switched off. */
export async function countState(db: Db, now: number): Promise<Record<Counted, number>> {
  const counts = await Promise.all(
    Object.entries(counted).map(async ([name, text]) => {
      const [before = '', ...rest] = `select count(*) as count ${text}`.split('$now')
      const query = rest.reduce(
        (whole, part) => sql`${whole}${now}${sql.raw(part)}`,
        sql.raw(before),
      )
      const { rows } = await sql<{ count: number }>`${query}`.execute(db)
      return [name, rows[0]?.count ?? 0] as const
    }),
  )
  return Object.fromEntries(counts) as Record<Counted, number>
}

/** When the event was written that has waited longest for its delivery, ms; null where none waits. */
export async function oldestWaitingEvent(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('webhook_events')
    .select((eb) => eb.fn.min<number | null>('created_at').as('oldest'))
    .where('next_attempt_at', 'is not', null)
    .executeTakeFirst()
  return row?.oldest ?? null
}

/** Bytes of the database and the log beside it, without what a file system adds. */
export async function databaseBytes(db: Db): Promise<number> {
  const query = isPostgres(db)
    ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
    : sql<{ bytes: number }>`select page_count * page_size as bytes
        from pragma_page_count(), pragma_page_size()`
  const { rows } = await query.execute(db)
  return rows[0]?.bytes ?? 0
}
