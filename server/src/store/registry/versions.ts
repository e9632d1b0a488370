import { sql } from 'kysely'
import { columnsOf, type Db, type Fields, prepared, toRow } from '../../db/query.ts'
import type { Finding, LintResult } from './skill-record.ts'

/** Columns, besides the readme, from which the files of a version are generated. */
const fileColumns = [
  'slug',
  'description',
  'fileCount',
  'manifestDigest',
  'tarDigest',
  'tarSize',
  'zipDigest',
  'zipSize',
] as const

const fields = ['version', 'digest', 'readme', 'verdict', ...fileColumns] as const

export type VersionRecord = Pick<Fields<'skill_versions'>, (typeof fields)[number]> & {
  findings: readonly Finding[]
}

const written = ['version', 'digest', 'readme', 'createdAt', ...fileColumns] as const

type NewVersion = Pick<Fields<'skill_versions'>, (typeof written)[number]>

export async function insertVersion(
  trx: Db,
  skillId: string,
  { lintResult, ...version }: NewVersion & { lintResult: LintResult },
): Promise<void> {
  await insert(trx, { skillId, ...version, ...lintResultFields(lintResult) })
}

/** Stores the result of the lint for a version, unless a newer lint has linted it. */
export const updateLintResult = (
  trx: Db,
  skillId: string,
  version: number,
  lintResult: LintResult,
) =>
  trx
    .updateTable('skill_versions')
    .set(toRow(lintResultFields(lintResult), linted))
    .where((eb) => eb.and({ skill_id: skillId, version }))
    .where('lint_version', '<=', lintResult.lintVersion)
    .execute()

const linted = ['verdict', 'findings', 'lintVersion'] as const

const lintResultFields = ({ findings, ...lintResult }: LintResult) => ({
  ...lintResult,
  findings: findings.length === 0 ? null : JSON.stringify(findings),
})

const inserted = ['skillId', ...written, ...linted] as const

const insert = prepared((db, row: Pick<Fields<'skill_versions'>, (typeof inserted)[number]>) =>
  db.insertInto('skill_versions').values(toRow(row, inserted)),
)

/** Lists every version of a skill, newest first. The size of the readme is in bytes of UTF-8. */
export const findVersions = (db: Db, skillId: string) =>
  db
    .selectFrom('skill_versions')
    .select(columnsOf('skill_versions', ['version', 'digest', 'verdict', 'createdAt', 'fileCount']))
    .select(sql<number>`octet_length(readme)`.as('size'))
    .where('skill_id', '=', skillId)
    .orderBy('version', 'desc')
    .execute()

/** Largest value of the column. Postgres refuses to compare it with a larger number. */
const largestVersion = 2 ** 31 - 1

/** Returns the newest version that matches the number and the digest, if given. */
export async function findVersion(
  db: Db,
  skillId: string,
  by: { version?: number | undefined; digest?: string | undefined },
): Promise<VersionRecord | undefined> {
  if ((by.version ?? 0) > largestVersion) return undefined
  let query = db
    .selectFrom('skill_versions')
    .select(columnsOf('skill_versions', [...fields, 'findings']))
    .where('skill_id', '=', skillId)
    .orderBy('version', 'desc')
  if (by.version !== undefined) query = query.where('version', '=', by.version)
  if (by.digest !== undefined) query = query.where('digest', '=', by.digest)
  const row = await query.executeTakeFirst()
  return row && { ...row, findings: JSON.parse(row.findings ?? '[]') as Finding[] }
}

/** Returns when a skill first had a readme with this digest, or undefined. */
export async function firstVersionOf(db: Db, skillId: string, digest: string) {
  const row = await db
    .selectFrom('skill_versions')
    .select('created_at')
    .where((eb) => eb.and({ skill_id: skillId, digest }))
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
