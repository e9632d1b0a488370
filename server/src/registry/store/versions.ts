import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'
import type { Judgement, Verdict } from '../lint/judge.ts'
import type { LintWarning } from '../lint/report/types.ts'

/** One immutable version. Sizes are bytes of UTF-8, times milliseconds since 1970. */
export interface VersionRecord {
  version: number
  digest: string
  size: number
  createdAt: number
  /** Null until it has been linted. */
  verdict: Verdict | null
}

/** Keeps a version of a skill. */
export async function insertVersion(
  trx: Db,
  skillId: string,
  version: {
    version: number
    digest: string
    readme: string
    createdAt: number
    judgement: Judgement
  },
): Promise<void> {
  const { judgement, ...rest } = version
  await insert(trx, { skillId, ...rest, ...toColumns(judgement) })
}

/** Keeps what the lint found in a version, in the place of what an older one did. */
export async function saveJudgement(
  trx: Db,
  skillId: string,
  version: number,
  judgement: Judgement,
): Promise<void> {
  await trx
    .updateTable('skill_versions')
    .set(toColumns(judgement))
    .where('skill_id', '=', skillId)
    .where('version', '=', version)
    .where('lint_version', '<=', judgement.lintVersion)
    .execute()
}

const toColumns = ({ verdict, findings, lintVersion }: Judgement) => ({
  verdict,
  findings: findings.length === 0 ? null : JSON.stringify(findings),
  lint_version: lintVersion,
})

const toJudgement = (row: {
  verdict: Verdict | null
  findings: string | null
  lint_version: number
}): Judgement | undefined =>
  row.verdict === null
    ? undefined
    : {
        verdict: row.verdict,
        findings: row.findings === null ? [] : (JSON.parse(row.findings) as LintWarning[]),
        lintVersion: row.lint_version,
      }

type NewVersion = {
  skillId: string
  version: number
  digest: string
  readme: string
  createdAt: number
} & ReturnType<typeof toColumns>

const insert = prepared((db, version: NewVersion) =>
  db.insertInto('skill_versions').values({
    skill_id: version.skillId,
    version: version.version,
    digest: version.digest,
    readme: version.readme,
    created_at: version.createdAt,
    verdict: version.verdict,
    findings: version.findings,
    lint_version: version.lint_version,
  }),
)

/** Every version of a skill, newest first, without the readmes. */
export async function listVersions(db: Db, skillId: string): Promise<VersionRecord[]> {
  return db
    .selectFrom('skill_versions')
    .select([
      'version',
      'digest',
      'verdict',
      'created_at as createdAt',
      sql<number>`octet_length(readme)`.as('size'),
    ])
    .where('skill_id', '=', skillId)
    .orderBy('version', 'desc')
    .execute()
}

/** Largest number that the column holds; Postgres refuses to compare it with a larger one. */
const largestVersion = 2 ** 31 - 1

/** The text of a version, and what the lint says of it; undefined until it has been linted. */
interface VersionText {
  version: number
  digest: string
  readme: string
  judgement: Judgement | undefined
}

/** A version of a skill by number, digest or both; the newest that fits. */
export async function findVersion(
  db: Db,
  skillId: string,
  by: { version?: number | undefined; digest?: string | undefined },
): Promise<VersionText | undefined> {
  if ((by.version ?? 0) > largestVersion) return undefined
  let query = db
    .selectFrom('skill_versions')
    .select(['version', 'digest', 'readme', 'verdict', 'findings', 'lint_version'])
    .where('skill_id', '=', skillId)
    .orderBy('version', 'desc')
  if (by.version !== undefined) query = query.where('version', '=', by.version)
  if (by.digest !== undefined) query = query.where('digest', '=', by.digest)
  const row = await query.executeTakeFirst()
  if (!row) return undefined
  const { version, digest, readme } = row
  return { version, digest, readme, judgement: toJudgement(row) }
}

/** What the lint found in a version; nothing until it has been linted. */
export async function findJudgement(
  db: Db,
  skillId: string,
  version: number,
): Promise<Judgement | undefined> {
  const [row] = await judgementAt(db, { skillId, version })
  return row && toJudgement(row)
}

const judgementAt = prepared((db, at: { skillId: string; version: number }) =>
  db
    .selectFrom('skill_versions')
    .select(['verdict', 'findings', 'lint_version'])
    .where('skill_id', '=', at.skillId)
    .where('version', '=', at.version),
)

/** When a skill first had a readme of this digest; undefined when it never had. */
export async function firstVersionOf(
  db: Db,
  skillId: string,
  digest: string,
): Promise<number | undefined> {
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
