import { sql } from 'kysely'
import { isPostgres } from '../db/handle.ts'
import type { Db } from '../db/open.ts'

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
  openReports: sql`reports where resolved_at is null`,
  pendingUsers: sql`users where removed_at is null and disabled_at is null and verified = 0`,
  undeliveredWebhooks: sql`webhook_events where done_at is not null and delivered_at is null`,
}

/** Counts the rows of each table, and those that were added in the last 30 days. */
export async function countGrowth(db: Db, now: number) {
  const since = now - 30 * 86_400_000
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

/** Lists damaged pages, indexes and references of SQLite. Postgres has its own checks. */
export async function listFaults(db: Db): Promise<string[]> {
  if (isPostgres(db)) return []
  const { rows } = await sql<{ fault: string }>`
    select integrity_check as fault from pragma_integrity_check where integrity_check <> 'ok'
    union all
    select count(*) || ' rows of ' || "table" || ' refer to missing rows of ' || parent
    from pragma_foreign_key_check group by "table", parent`.execute(db)
  return rows.map(({ fault }) => fault)
}

/** The text of a version, with its expected digest. */
export interface StoredText {
  readonly skillId: string
  readonly version: number
  readonly digest: string
  readonly readme: string
}

/** Lists up to 500 texts by skill and version, after the given one. */
export const listStoredTexts = (
  db: Db,
  { skillId, version }: Pick<StoredText, 'skillId' | 'version'> = { skillId: '', version: 0 },
): Promise<StoredText[]> =>
  db
    .selectFrom('skill_versions')
    .select(['skill_id as skillId', 'version', 'digest', 'readme'])
    .where((eb) => eb(eb.refTuple('skill_id', 'version'), '>', eb.tuple(skillId, version)))
    .orderBy('skill_id')
    .orderBy('version')
    .limit(500)
    .execute()
