import { manifestText } from '@skillpass/contract'
import { recordWrite } from '../audit/record-change.ts'
import type { Catalogue, RegistryContext } from '../catalogue/catalogue.ts'
import { currentReadme } from '../catalogue/text-caches.ts'
import { applyJudgements, moveStaleJudgements } from '../copies/apply-judgements.ts'
import { createContents, isShort } from '../copies/fingerprint.ts'
import { findJudgedMatches, type JudgedMatch, recordIfDecided } from '../copies/judged-texts.ts'
import { createPassageReader, readPassages, sampleOf, timesAfter } from '../copies/passages.ts'
import type { Db } from '../db/open.ts'
import { lintResultOf } from '../lint/findings.ts'
import type { OperatorContext } from '../runtime/context.ts'
import type { AgentRecord } from '../store/agents/agents.ts'
import { forgetAnswers } from '../store/registry/answers.ts'
import { recountRepository } from '../store/registry/counts.ts'
import { type FileRecord, findVersionFiles, insertFiles } from '../store/registry/files.ts'
import { hasJudgedTexts } from '../store/registry/judged-texts.ts'
import { newRecord, type SkillRecord, verdictFieldsOf } from '../store/registry/skill-record.ts'
import { findSkill, insertSkill, updateSkillFields } from '../store/registry/skills.ts'
import { undecided } from '../store/registry/states.ts'
import {
  findLastNumber,
  findVersion,
  insertVersion,
  updateLintResult,
  updateVersionFields,
  type VersionRecord,
} from '../store/registry/versions.ts'
import { digestOf } from '../text/digest.ts'
import { installableMarkdown } from '../text/skill-file/complete.ts'
import { licenseOf } from '../text/skill-file/license.ts'
import { lintWithFiles, prepareArchives, refuseMissing } from './bundles/version-files.ts'
import { chooseLabel } from './labels.ts'

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

/** Fields of a version beside its text. */
interface Origin extends Partial<Pick<SkillRecord, 'license' | 'source' | 'sourceCommit'>> {
  readonly label?: string | null | undefined
}

/** What the preparation of a version needs. An import has only the key of the catalogue. */
export interface PreparingContext extends OperatorContext {
  readonly catalogue: Pick<Catalogue, 'passageKey'> & Partial<Pick<Catalogue, 'firstWith'>>
}

export type PreparedVersion = Awaited<ReturnType<typeof prepareVersion>>

/**
 * Reads and lints a version, and finds judged texts in it. `base` is the skill before the change,
 * `existing` a version of it to make current.
 */
export async function prepareVersion(
  ctx: PreparingContext,
  agentId: string,
  base: SkillRecord | undefined,
  wanted: Wanted,
  existing?: VersionRecord,
) {
  const read = await readVersion(ctx, base, wanted)
  const isNew = read.isNew || existing !== undefined
  const result = await lintAndMatch(ctx, agentId, { ...read, isNew }, wanted.files === undefined)
  const archives = await prepareArchives(ctx, read, isNew && !existing ? read.files : [])
  return { ...read, ...result, isNew, existing, archives }
}

/** Prepares an existing version of a skill to become the current one. */
export async function prepareExisting(ctx: PreparingContext, skill: SkillRecord, number: number) {
  const existing = await findVersion(ctx.db.read, skill.id, { version: number })
  if (!existing) throw new Error(`version ${number} of ${skill.id} is missing`)
  const files = await findVersionFiles(ctx.db.read, skill.id, number)
  const { name, description, tags } = existing.fields ?? skill
  const fields = { slug: skill.slug, name, description, tags }
  const wanted = { fields, readme: existing.readme, files }
  return prepareVersion(ctx, skill.owner.id, skill, wanted, existing)
}

/** Whether an owner must approve a new version before readers see it. */
const awaitsApproval = (
  { approval }: Pick<AgentRecord, 'approval'>,
  before: Pick<SkillRecord, 'version'> | undefined,
): boolean => approval === 'versions' || (approval === 'skills' && !before?.version)

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
  // Without a current version, compare with the newest one.
  const by = base?.version === 0 ? {} : { version: base?.version }
  const current = base && (await findVersion(db.read, base.id, by))
  if (base && !current) throw new Error(`version ${base.version} of ${base.id} is missing`)
  const currentFiles =
    base && current && current.fileCount > 0
      ? await findVersionFiles(db.read, base.id, current.version)
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
      installableMarkdown({ ...current, slug }) !== installableMarkdown(current)) ||
    (base !== undefined && awaitsApproval(base.owner, base) && hasOtherFields(base, fields))
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
  readonly owner: SkillRecord['owner']
  /** Id of the agent that publishes it. */
  readonly publishedBy: string
}

/**
 * Writes a prepared version, or the changed fields of the current one, with the judgements that
 * apply to it. Returns the skill, which stays as it is while the version waits for approval. Throws
 * `UniqueViolation` if the slug is taken, and VALIDATION_ERROR if a file was removed since the
 * preparation.
 */
export async function writeVersion(
  ctx: OperatorContext,
  trx: Db,
  { before, revision, publishedBy, label: wanted, ...target }: Target,
  version: PreparedVersion,
): Promise<SkillRecord> {
  const { fields, digest, isNew, existing, files, lintResult, passages } = version
  const now = ctx.clock.now()
  const isInserted = isNew && !existing
  const waits = !existing && awaitsApproval(target.owner, before)
  const last = before && isInserted ? await findLastNumber(trx, before.id) : before?.version
  const label = isInserted ? await chooseLabel(trx, before, wanted, version.readme) : before?.label
  const isOther = before !== undefined && isChanged(before, version)
  const skill: SkillRecord = {
    ...newRecord,
    id: before?.id ?? ctx.random.uuid(),
    createdAt: now,
    license: null,
    ...before,
    ...(isNew && { ...ofNewVersion, license: licenseOf(version.readme) }),
    ...(isOther && before.state === 'visible' ? undecided : {}),
    ...fields,
    ...target,
    label: label ?? null,
    ...(existing && ofExisting(existing)),
    version: existing?.version ?? (last ?? 0) + (isInserted ? 1 : 0),
    digest,
    // Times must not decrease, even if the wall clock was set back.
    updatedAt: Math.max(now, before?.updatedAt ?? 0),
    revision,
    ...verdictFieldsOf(lintResult),
  }
  const insert = async () => {
    const { label, sourceCommit, updatedAt: createdAt } = skill
    const approval = waits ? ('waiting' as const) : null
    const about = { version: skill.version, createdAt, label, sourceCommit, publishedBy, approval }
    const [, missing] = await Promise.all([
      insertVersion(trx, skill.id, { ...version, ...version.archives, ...about }, skill),
      insertFiles(trx, skill.id, skill.version, files),
    ])
    refuseMissing(files, missing)
  }
  if (waits) {
    const { slug, repository } = skill
    const shown = before ? { ...before, slug, repository, revision } : { ...skill, version: 0 }
    await (before ? updateSkillFields(trx, shown) : insertSkill(trx, shown))
    if (before) await recordWrite(ctx, trx, before, shown)
    if (!isNew) return shown
    await insert()
    return { ...shown, waiting: skill.version }
  }
  let hasMoved = false
  if (before) {
    // An answer applies to this version and these fields only. An operator's hold applies to all.
    if (isOther && before.stateBy !== null) await forgetAnswers(trx, before.id)
    hasMoved = await moveStaleJudgements(ctx, trx, before, version, revision)
    if (isNew) skill.passageTimes = await timesAfter(trx, before, skill, passages)
    await updateSkillFields(trx, skill)
  } else await insertSkill(trx, skill)
  if (isInserted) await insert()
  else {
    await updateLintResult(trx, skill.id, skill.version, lintResult)
    await updateVersionFields(trx, skill)
  }
  if (isNew) await recordIfDecided(ctx, trx, skill)
  await recordWrite(ctx, trx, before, skill)
  if (before?.version === 0 && skill.version > 0) {
    skill.repository = {
      ...skill.repository,
      ...(await recountRepository(trx, skill.repository.id)),
    }
  }
  const hasApplied = await applyJudgements(ctx, trx, version.matches, skill, revision)
  return hasMoved || hasApplied ? ((await findSkill(trx, skill.id)) ?? skill) : skill
}

const ofNewVersion = { label: null, sourceCommit: null, deprecated: null }

/** Returns the fields of a skill that come with an existing version. */
const ofExisting = ({ fields, label, sourceCommit, deprecated }: VersionRecord) => ({
  ...fields,
  ...{ label, sourceCommit, deprecated },
})

/** Returns whether a version changes the fields or the text of a skill. */
export const isChanged = (before: SkillRecord, { isNew, fields }: PreparedVersion): boolean =>
  isNew || hasOtherFields(before, fields)

const hasOtherFields = (before: SkillRecord, fields: Wanted['fields']): boolean =>
  before.slug !== fields.slug ||
  before.name !== fields.name ||
  before.description !== fields.description ||
  before.tags.join('\n') !== fields.tags.join('\n')

/** Adds a written version to the index of this process, so that reads and search include it. */
export async function indexVersion(
  ctx: RegistryContext,
  { waiting, ...skill }: SkillRecord,
  { readme, passages }: PreparedVersion,
): Promise<void> {
  if (skill.version === 0) return
  if (waiting === undefined) {
    await ctx.catalogue.admit(skill, readme, sampleOf(passages.now()))
    ctx.readmes.set(skill.digest, readme)
  } else await ctx.catalogue.admit(skill, (await currentReadme(ctx, skill)) ?? '')
}
