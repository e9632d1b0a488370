import { sql } from 'kysely'
import { columnsOf, type Db, type Fields, prepared, toRow } from '../../db/query.ts'
import type { Judgement } from '../../moderation/lint/types.ts'
import { largestVersion, readFindings, releaseColumns } from './files.ts'

const listed = ['version', 'digest', 'verdict', 'createdAt', 'fileCount'] as const

/** An immutable version. Size in bytes of UTF-8, times in milliseconds since 1970. */
export type VersionRecord = Pick<Fields<'skill_versions'>, (typeof listed)[number]> & {
  size: number
}

const written = ['version', 'digest', 'readme', 'createdAt', ...releaseColumns] as const

type NewVersion = Pick<Fields<'skill_versions'>, (typeof written)[number]>

export async function insertVersion(
  trx: Db,
  skillId: string,
  { judgement, ...version }: NewVersion & { judgement: Judgement },
): Promise<void> {
  await insert(trx, { skillId, ...version, ...judgementFields(judgement) })
}

/** Stores the lint's judgement of a version, unless a newer lint has judged it. */
export const saveJudgement = (trx: Db, skillId: string, version: number, judgement: Judgement) =>
  trx
    .updateTable('skill_versions')
    .set(toRow(judgementFields(judgement), judged))
    .where('skill_id', '=', skillId)
    .where('version', '=', version)
    .where('lint_version', '<=', judgement.lintVersion)
    .execute()

const judged = ['verdict', 'findings', 'lintVersion'] as const

type JudgementFields = Pick<Fields<'skill_versions'>, (typeof judged)[number]>

const judgementFields = ({ findings, ...judgement }: Judgement): JudgementFields => ({
  ...judgement,
  findings: findings.length === 0 ? null : JSON.stringify(findings),
})

const insert = prepared((db, version: NewVersion & JudgementFields & { skillId: string }) =>
  db.insertInto('skill_versions').values(toRow(version, ['skillId', ...written, ...judged])),
)

/** Lists every version of a skill, newest first, without readmes. */
export const listVersions = (db: Db, skillId: string): Promise<VersionRecord[]> =>
  db
    .selectFrom('skill_versions')
    .select(columnsOf('skill_versions', listed))
    .select(sql<number>`octet_length(readme)`.as('size'))
    .where('skill_id', '=', skillId)
    .orderBy('version', 'desc')
    .execute()

type VersionText = Pick<NewVersion, 'version' | 'digest' | 'readme'> &
  Pick<Judgement, 'verdict' | 'findings'>

/** Returns the newest version that matches the number and the digest, if given. */
export async function findVersion(
  db: Db,
  skillId: string,
  by: { version?: number | undefined; digest?: string | undefined },
): Promise<VersionText | undefined> {
  if ((by.version ?? 0) > largestVersion) return undefined
  let query = db
    .selectFrom('skill_versions')
    .select(columnsOf('skill_versions', ['version', 'digest', 'readme', 'verdict', 'findings']))
    .where('skill_id', '=', skillId)
    .orderBy('version', 'desc')
  if (by.version !== undefined) query = query.where('version', '=', by.version)
  if (by.digest !== undefined) query = query.where('digest', '=', by.digest)
  const row = await query.executeTakeFirst()
  return row && { ...row, findings: readFindings(row.findings) }
}

export async function findFindings(db: Db, skillId: string, version: number) {
  const row = await db
    .selectFrom('skill_versions')
    .select('findings')
    .where('skill_id', '=', skillId)
    .where('version', '=', version)
    .executeTakeFirst()
  return readFindings(row?.findings ?? null)
}

/** Returns when a skill first had a readme with this digest, or undefined. */
export async function firstVersionOf(db: Db, skillId: string, digest: string) {
  const row = await db
    .selectFrom('skill_versions')
    .select('created_at')
    .where('skill_id', '=', skillId)
    .where('digest', '=', digest)
    .orderBy('version')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

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
