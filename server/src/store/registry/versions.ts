import { sql } from 'kysely'
import { columnsOf, type Db, type Fields, prepared, toRow } from '../../db/query.ts'
import { isKept } from './revision.ts'
import type { Deprecation, Finding, LintResult, SkillRecord } from './skill-record.ts'

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

/** Why nobody new gets a version. */
export interface Withdrawal {
  reason: string
  /** Whether even pinned installations must not get it. */
  security: boolean
  /** In milliseconds since 1970. */
  at: number
}

const stateColumns = ['label', 'sourceCommit', 'approval', 'approvalNote', 'publishedBy'] as const

/** What publishers and approvers have decided about a version. */
export interface VersionState
  extends Pick<Fields<'skill_versions'>, 'version' | (typeof stateColumns)[number]> {
  withdrawn: Withdrawal | null
  deprecated: Deprecation | null
}

const fields = ['version', 'digest', 'readme', 'verdict', ...fileColumns, ...stateColumns] as const

/** Fields of a skill that change with its version. Null before they were recorded. */
type VersionFields = Pick<
  SkillRecord,
  'name' | 'description' | 'tags' | 'indexedDescription' | 'license' | 'source'
>

export interface VersionRecord
  extends Pick<Fields<'skill_versions'>, (typeof fields)[number]>,
    VersionState {
  findings: readonly Finding[]
  fields: VersionFields | null
}

/** Whether everybody who may read a skill may read this version. */
export const isApproved = ({ approval }: Pick<VersionState, 'approval'>): boolean =>
  approval === null || approval === 'approved'

/** Whether a version can be current. */
export const isOffered = (version: Pick<VersionState, 'approval' | 'withdrawn'>): boolean =>
  isApproved(version) && version.withdrawn === null

const written = [
  ...(['version', 'digest', 'readme', 'createdAt', 'label', 'sourceCommit'] as const),
  ...(['publishedBy', 'approval', ...fileColumns] as const),
] as const

type NewVersion = Pick<Fields<'skill_versions'>, (typeof written)[number]>

const fieldsText = (skill: VersionFields) => {
  const { name, description, tags, indexedDescription, license, source } = skill
  return JSON.stringify({ name, description, tags, indexedDescription, license, source })
}

export async function insertVersion(
  trx: Db,
  skillId: string,
  { lintResult, ...version }: NewVersion & { lintResult: LintResult },
  skill: VersionFields,
): Promise<void> {
  const columns = { ...lintResultFields(lintResult), fields: fieldsText(skill) }
  await insert(trx, { skillId, ...version, ...columns })
}

/** Stores the fields of a skill with its current version. */
export const updateVersionFields = (trx: Db, skill: SkillRecord) =>
  trx
    .updateTable('skill_versions')
    .set({ fields: fieldsText(skill) })
    .where((eb) => eb.and({ skill_id: skill.id, version: skill.version }))
    .execute()

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

const inserted = ['skillId', ...written, ...linted, 'fields'] as const

const insert = prepared((db, row: Pick<Fields<'skill_versions'>, (typeof inserted)[number]>) =>
  db.insertInto('skill_versions').values(toRow(row, inserted)),
)

/** Lists every version of a skill, newest first. The size of the readme is in bytes of UTF-8. */
export async function findVersions(db: Db, skillId: string) {
  const rows = await db
    .selectFrom('skill_versions')
    .select(columnsOf('skill_versions', ['digest', 'verdict', 'createdAt', 'fileCount']))
    .select(columnsOf('skill_versions', ['version', ...stateColumns, ...decided]))
    .select(sql<number>`octet_length(readme)`.as('size'))
    .where('skill_id', '=', skillId)
    .orderBy('version', 'desc')
    .execute()
  return rows.map(readStates)
}

const decided = ['withdrawn', 'deprecated'] as const

const readJson = <T>(text: string | null) => (text === null ? null : (JSON.parse(text) as T))

const readStates = <R extends Pick<Fields<'skill_versions'>, (typeof decided)[number]>>(
  row: R,
) => ({
  ...row,
  withdrawn: readJson<Withdrawal>(row.withdrawn),
  deprecated: readJson<Deprecation>(row.deprecated),
})

export type VersionDecision = Partial<
  Pick<VersionState, 'approval' | 'approvalNote' | 'withdrawn' | 'deprecated' | 'label'>
>

/** Stores what was decided about a version. */
export const updateVersionState = (
  trx: Db,
  at: { skillId: string; version: number },
  { approvalNote, withdrawn, deprecated, ...columns }: VersionDecision,
) =>
  trx
    .updateTable('skill_versions')
    .set({
      ...columns,
      ...(approvalNote !== undefined && { approval_note: approvalNote }),
      ...(withdrawn !== undefined && { withdrawn: withdrawn && JSON.stringify(withdrawn) }),
      ...(deprecated !== undefined && { deprecated: deprecated && JSON.stringify(deprecated) }),
    })
    .where((eb) => eb.and({ skill_id: at.skillId, version: at.version }))
    .execute()

/** Returns why the newest withdrawn version of a skill that readers had was withdrawn. */
export const findLastWithdrawal = async (db: Db, skillId: string) =>
  (await findVersions(db, skillId)).find((version) => isApproved(version) && version.withdrawn)
    ?.withdrawn ?? undefined

/** Lists the oldest versions that wait for approval of an owner. */
export const findWaiting = (db: Db, ownerId: string) =>
  db
    .selectFrom('skill_versions')
    .innerJoin('skills', 'skills.id', 'skill_versions.skill_id')
    .leftJoin('agents', 'agents.id', 'skill_versions.published_by')
    .select(columnsOf('skill_versions', ['skillId', 'version']))
    .select('agents.username as publisher')
    .where((eb) => eb.and({ 'skill_versions.approval': 'waiting', 'skills.agent_id': ownerId }))
    .where(isKept)
    .orderBy('skill_versions.created_at')
    .limit(100)
    .execute()

/** Returns the number of a skill's last version, also of one that readers cannot see. */
export const findLastNumber = async (db: Db, skillId: string): Promise<number> => {
  const rows = db.selectFrom('skill_versions').select((eb) => eb.fn.max('version').as('last'))
  return (await rows.where('skill_id', '=', skillId).executeTakeFirst())?.last ?? 0
}

/** Largest value of the column. Postgres refuses to compare it with a larger number. */
const largestVersion = 2 ** 31 - 1

/**
 * Returns the newest version that matches the number and the digest, if given. Of those with a
 * digest, it prefers one that readers get.
 */
export async function findVersion(
  db: Db,
  skillId: string,
  by: { version?: number | undefined; digest?: string | undefined },
): Promise<VersionRecord | undefined> {
  if ((by.version ?? 0) > largestVersion) return undefined
  let query = db
    .selectFrom('skill_versions')
    .select(columnsOf('skill_versions', [...fields, ...decided, 'findings', 'fields']))
    .where('skill_id', '=', skillId)
    .orderBy(sql`case when withdrawn is null and coalesce(approval, 'approved') = 'approved'
      then 0 else 1 end`)
    .orderBy('version', 'desc')
  if (by.version !== undefined) query = query.where('version', '=', by.version)
  if (by.digest !== undefined) query = query.where('digest', '=', by.digest)
  const row = await query.executeTakeFirst()
  if (!row) return undefined
  const findings = readJson<Finding[]>(row.findings) ?? []
  return { ...readStates(row), findings, fields: readJson<VersionFields>(row.fields) }
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
