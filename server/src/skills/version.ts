import { manifestText } from '@skillpass/contract'
import { recordWrite } from '../audit/record-change.ts'
import type { Catalogue, RegistryContext } from '../catalogue/catalogue.ts'
import { applyJudgements, moveStaleJudgements } from '../copies/apply-judgements.ts'
import { createContents, isShort } from '../copies/fingerprint.ts'
import { findJudgedMatches, type JudgedMatch, recordIfDecided } from '../copies/judged-texts.ts'
import { createPassageReader, readPassages, sampleOf, timesAfter } from '../copies/passages.ts'
import type { Db } from '../db/open.ts'
import { lintResultOf } from '../lint/findings.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { forgetAnswers } from '../store/registry/answers.ts'
import { type FileRecord, findVersionFiles, insertFiles } from '../store/registry/files.ts'
import { hasJudgedTexts } from '../store/registry/judged-texts.ts'
import { newRecord, type SkillRecord, verdictFieldsOf } from '../store/registry/skill-record.ts'
import { findSkill, insertSkill, updateSkillFields } from '../store/registry/skills.ts'
import { undecided } from '../store/registry/states.ts'
import { findVersion, insertVersion, updateLintResult } from '../store/registry/versions.ts'
import { digestOf } from '../text/digest.ts'
import { installableMarkdown } from '../text/skill-file/complete.ts'
import { licenseOf } from '../text/skill-file/license.ts'
import { lintWithFiles, prepareArchives, refuseMissing } from './bundles/version-files.ts'

/*
 * Publishing, updating and importing write a version of a skill in the same steps: read what the
 * version consists of, lint it, find judged texts in it, write it in one transaction, and add it
 * to the index of this process. `prepareVersion` does the first three, because they take long and
 * a transaction blocks all other changes.
 */

/** What the caller wants a skill to be. */
interface Wanted {
  readonly fields: Pick<SkillRecord, 'slug' | 'name' | 'description' | 'tags'>
  /** Undefined to keep the readme. */
  readonly readme: string | undefined
  /** Files besides the readme. Undefined to keep them. */
  readonly files: readonly FileRecord[] | undefined
}

/** License and source that an import has read beside the text. */
type Origin = Partial<Pick<SkillRecord, 'license' | 'source'>>

/** What the preparation of a version needs. An import has only the key of the catalogue. */
export interface PreparingContext extends OperatorContext {
  readonly catalogue: Pick<Catalogue, 'passageKey'> & Partial<Pick<Catalogue, 'firstWith'>>
}

export type PreparedVersion = Awaited<ReturnType<typeof prepareVersion>>

/**
 * Reads and lints a version, and finds judged texts in it. `base` is the skill before the change.
 */
export async function prepareVersion(
  ctx: PreparingContext,
  agentId: string,
  base: SkillRecord | undefined,
  wanted: Wanted,
) {
  const read = await readVersion(ctx, base, wanted)
  const result = await lintAndMatch(ctx, agentId, read, wanted.files === undefined)
  const archives = await prepareArchives(ctx, read, read.isNew ? read.files : [])
  return { ...read, ...result, archives }
}

/**
 * Returns the version that a skill would have. It is new if the readme or the files change, or if a
 * new slug changes the generated SKILL.md.
 */
async function readVersion(
  { db }: PreparingContext,
  base: SkillRecord | undefined,
  { fields, readme, files }: Wanted,
) {
  const { slug } = fields
  const current = base && (await findVersion(db.read, base.id, { version: base.version }))
  if (base && !current) throw new Error(`version ${base.version} of ${base.id} is missing`)
  const currentFiles =
    base && current && current.fileCount > 0
      ? await findVersionFiles(db.read, base.id, base.version)
      : []
  const next = {
    readme: readme ?? current?.readme ?? '',
    slug,
    /** Never empty. */
    description: fields.description || fields.name,
    files: files ?? currentFiles,
  }
  const digest = digestOf(next.readme)
  const isNew =
    current === undefined ||
    digest !== current.digest ||
    manifestText(next.files) !== manifestText(currentFiles) ||
    (slug !== base?.slug &&
      installableMarkdown({ ...current, slug }) !== installableMarkdown(current))
  return { ...next, base, fields, digest, isNew, previousReadme: current?.readme }
}

/**
 * Lints a version and finds judged texts in it. With `keepsFiles`, only the readme and the
 * description are compared: a skill may keep its files.
 */
async function lintAndMatch(
  ctx: PreparingContext,
  agentId: string,
  { fields, readme, description, files, isNew, previousReadme }: ReadVersion,
  keepsFiles: boolean,
) {
  const key = ctx.catalogue.passageKey
  const passages = createPassageReader(key)
  // Reading texts to compare them takes longer than the lint.
  const contents = (await hasJudgedTexts(ctx.db.read)) ? createContents(key) : undefined
  // A short text may be split into description and readme. Longer ones are found by their passages.
  const both = `${description}\n\n${readme}`
  for (const text of isShort(both) ? [both, description] : [description]) {
    if (contents) await ctx.steps.run(contents.add(text))
  }
  const allFindings = await lintWithFiles(ctx, { ...fields, readme }, files, {
    readme: contents ? [passages, contents] : [passages],
    files: contents && !keepsFiles ? [contents] : [],
  })
  const matches: JudgedMatch[] = contents
    ? await findJudgedMatches(ctx.db.read, agentId, { readme, description }, { ...ctx, contents })
    : []
  const before =
    isNew && previousReadme !== undefined && previousReadme !== readme
      ? await ctx.steps.run(readPassages(previousReadme, key))
      : undefined
  // The transaction of an update compares them. An import of a new skill does not need them.
  if (before) passages.passages()
  const lintResult = lintResultOf(allFindings)
  return { allFindings, lintResult, matches, passages: { before, now: passages.passages } }
}

type ReadVersion = Awaited<ReturnType<typeof readVersion>>

interface Target extends Origin, Pick<SkillRecord, 'repository' | 'owner' | 'indexedDescription'> {
  /** The skill as the transaction finds it. Its version is that of `base`. */
  readonly before: SkillRecord | undefined
  readonly revision: number
}

/**
 * Writes a prepared version, or the changed fields of the current one, with the judgements that
 * apply to it. Returns the skill. Throws `UniqueViolation` if the slug is taken, and
 * VALIDATION_ERROR if a file was removed since the preparation.
 */
export async function writeVersion(
  ctx: OperatorContext,
  trx: Db,
  { before, revision, ...target }: Target,
  version: PreparedVersion,
): Promise<SkillRecord> {
  const { fields, digest, isNew, files, lintResult, passages } = version
  const now = ctx.clock.now()
  const isOther = before !== undefined && isChanged(before, version)
  const skill: SkillRecord = {
    ...newRecord,
    id: before?.id ?? ctx.random.uuid(),
    createdAt: now,
    license: null,
    ...before,
    ...(isNew && { license: licenseOf(version.readme) }),
    ...(isOther && before.state === 'visible' ? undecided : {}),
    ...fields,
    ...target,
    version: (before?.version ?? 0) + (isNew ? 1 : 0),
    digest,
    // Times must not decrease, even if the wall clock was set back.
    updatedAt: Math.max(now, before?.updatedAt ?? 0),
    revision,
    ...verdictFieldsOf(lintResult),
  }
  let hasMoved = false
  if (before) {
    // An answer applies to this version and these fields only. An operator's hold applies to all.
    if (isOther && before.stateBy !== null) await forgetAnswers(trx, before.id)
    hasMoved = await moveStaleJudgements(ctx, trx, before, version, revision)
    if (isNew) skill.passageTimes = await timesAfter(trx, before, skill, passages)
    await updateSkillFields(trx, skill)
  } else await insertSkill(trx, skill)
  if (isNew) {
    const [, missing] = await Promise.all([
      insertVersion(trx, skill.id, {
        ...version,
        ...version.archives,
        version: skill.version,
        createdAt: skill.updatedAt,
      }),
      insertFiles(trx, skill.id, skill.version, files),
    ])
    refuseMissing(files, missing)
    await recordIfDecided(ctx, trx, skill)
  } else await updateLintResult(trx, skill.id, skill.version, lintResult)
  await recordWrite(ctx, trx, before, skill)
  const hasApplied = await applyJudgements(ctx, trx, version.matches, skill, revision)
  return hasMoved || hasApplied ? ((await findSkill(trx, skill.id)) ?? skill) : skill
}

/** Returns whether a version changes the fields or the text of a skill. */
export const isChanged = (before: SkillRecord, { isNew, fields }: PreparedVersion): boolean =>
  isNew ||
  before.slug !== fields.slug ||
  before.name !== fields.name ||
  before.description !== fields.description ||
  before.tags.join('\n') !== fields.tags.join('\n')

/** Adds a written version to the index of this process, so that reads and search include it. */
export async function indexVersion(
  ctx: RegistryContext,
  skill: SkillRecord,
  { readme, passages }: PreparedVersion,
): Promise<void> {
  await ctx.catalogue.admit(skill, readme, sampleOf(passages.now()))
  ctx.readmes.set(skill.digest, readme)
}
