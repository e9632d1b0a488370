import { columnsOf, type Db, type Fields } from '../../db/query.ts'
import { forgetAnswers } from './answers.ts'
import {
  type FindingSummary,
  type LintResult,
  readFindings,
  toVerdictColumns,
  verdictFieldsOf,
} from './skill-record.ts'
import { updateLintResult } from './versions.ts'

/** A version without a verdict of the current lint version, with its skill's current fields. */
export interface UnlintedVersion
  extends Pick<Fields<'skill_versions'>, 'skillId' | 'version' | 'readme' | 'fileCount'>,
    Pick<Fields<'skills'>, 'slug' | 'name' | 'description'> {
  tags: readonly string[]
  storedTags: string
  isCurrent: boolean
  /** Previous findings in the current version. */
  known: readonly FindingSummary[]
}

/** Lists versions that were not linted, or linted by an older version of the lint. */
export async function listUnlinted(
  db: Db,
  lintVersion: number,
  limit: number,
): Promise<UnlintedVersion[]> {
  const rows = await db
    .selectFrom('skill_versions')
    .innerJoin('skills', 'skills.id', 'skill_versions.skill_id')
    .select(columnsOf('skill_versions', ['skillId', 'version', 'readme', 'fileCount']))
    .select(columnsOf('skills', ['slug', 'name', 'description']))
    .select(['skills.tags as storedTags', 'skills.version as currentVersion', 'skills.warnings'])
    .where('skill_versions.lint_version', '<', lintVersion)
    .limit(limit)
    .execute()
  return rows.map(({ currentVersion, storedTags, warnings, ...row }) => ({
    ...row,
    known: readFindings(warnings),
    storedTags,
    tags: JSON.parse(storedTags) as string[],
    isCurrent: row.version === currentVersion,
  }))
}

/**
 * Stores the result of the lint on a version and, if it is current, on the skill. Returns false if
 * another node has linted the version, or if the skill has changed: a change runs the lint itself.
 */
export async function updateVerdict(
  trx: Db,
  { skillId, version, isCurrent, known, ...linted }: UnlintedVersion,
  lintResult: LintResult,
  nextRevision: number,
): Promise<boolean> {
  const waiting = await trx
    .selectFrom('skill_versions')
    .select('version')
    .where((eb) => eb.and({ skill_id: skillId, version }))
    .where('lint_version', '<', lintResult.lintVersion)
    .executeTakeFirst()
  if (!waiting) return false
  if (isCurrent) {
    const rules = new Set(known.map(({ rule }) => rule))
    const isMore = lintResult.findings.some(({ rule }) => !rules.has(rule))
    const { numUpdatedRows } = await trx
      .updateTable('skills')
      .set({
        ...toVerdictColumns(verdictFieldsOf(lintResult)),
        revision: nextRevision,
      })
      .where('id', '=', skillId)
      .where('version', '=', version)
      .where('slug', '=', linted.slug)
      .where('name', '=', linted.name)
      .where((eb) => eb.and({ description: linted.description, tags: linted.storedTags }))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    // Existing answers do not cover rules that are new for this version.
    if (isMore) await forgetAnswers(trx, skillId)
  }
  await updateLintResult(trx, skillId, version, lintResult)
  return true
}
