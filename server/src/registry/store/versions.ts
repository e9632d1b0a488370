import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'

/** One immutable version. Sizes are bytes of UTF-8, times milliseconds since 1970. */
export interface VersionRecord {
  version: number
  digest: string
  size: number
  createdAt: number
}

/** Keeps a version of a skill. */
export async function insertVersion(
  trx: Db,
  skillId: string,
  version: { version: number; digest: string; readme: string; createdAt: number },
): Promise<void> {
  await insert(trx, { skillId, ...version })
}

type NewVersion = {
  skillId: string
  version: number
  digest: string
  readme: string
  createdAt: number
}

const insert = prepared((db, version: NewVersion) =>
  db.insertInto('skill_versions').values({
    skill_id: version.skillId,
    version: version.version,
    digest: version.digest,
    readme: version.readme,
    created_at: version.createdAt,
  }),
)

/** Every version of a skill, newest first, without the readmes. */
export async function listVersions(db: Db, skillId: string): Promise<VersionRecord[]> {
  return db
    .selectFrom('skill_versions')
    .select([
      'version',
      'digest',
      'created_at as createdAt',
      sql<number>`octet_length(readme)`.as('size'),
    ])
    .where('skill_id', '=', skillId)
    .orderBy('version', 'desc')
    .execute()
}

/** Largest number that the column holds; Postgres refuses to compare it with a larger one. */
const largestVersion = 2 ** 31 - 1

/** A version of a skill by number, digest or both; the newest that fits. */
export async function findVersion(
  db: Db,
  skillId: string,
  by: { version?: number | undefined; digest?: string | undefined },
): Promise<{ digest: string; readme: string } | undefined> {
  if ((by.version ?? 0) > largestVersion) return undefined
  let query = db
    .selectFrom('skill_versions')
    .select(['digest', 'readme'])
    .where('skill_id', '=', skillId)
    .orderBy('version', 'desc')
  if (by.version !== undefined) query = query.where('version', '=', by.version)
  if (by.digest !== undefined) query = query.where('digest', '=', by.digest)
  return query.executeTakeFirst()
}

/** The readmes of the current versions of some live skills, by skill id. */
export async function findCurrentReadmes(
  db: Db,
  skillIds: readonly string[],
): Promise<Map<string, { digest: string; readme: string }>> {
  if (skillIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('skills')
    .innerJoin('skill_versions', (join) =>
      join
        .onRef('skill_versions.skill_id', '=', 'skills.id')
        .onRef('skill_versions.version', '=', 'skills.version'),
    )
    .select(['skills.id', 'skill_versions.digest', 'skill_versions.readme'])
    .where('skills.id', 'in', skillIds)
    .execute()
  return new Map(rows.map(({ id, digest, readme }) => [id, { digest, readme }]))
}
