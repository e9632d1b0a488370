import { requireLiveCaller } from '../agents/api-keys.ts'
import { agentParty, record } from '../audit/record.ts'
import { recordChange } from '../audit/record-change.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { answersOf } from '../catalogue/quarantine.ts'
import {
  getReadableSkill,
  getVisibleSkill,
  isPublisher,
  ownSkill,
} from '../catalogue/require-skill.ts'
import { currentReadme, type ShownSignature, signaturesOf } from '../catalogue/text-caches.ts'
import { applyJudgements } from '../copies/apply-judgements.ts'
import { findJudgedMatches, recordJudgedTexts } from '../copies/judged-texts.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import { dayLength, utcDay } from '../runtime/time.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import type { AnswerRecord } from '../store/registry/answers.ts'
import { recountRepository } from '../store/registry/counts.ts'
import { listDistTags } from '../store/registry/dist-tags.ts'
import { listVersionUsage } from '../store/registry/fetches.ts'
import { findTwin } from '../store/registry/judged-texts.ts'
import { writeChange } from '../store/registry/revision.ts'
import { type Finding, type SkillRecord, verdictFieldsOf } from '../store/registry/skill-record.ts'
import * as store from '../store/registry/skills.ts'
import * as versions from '../store/registry/versions.ts'
import { deleteStarsOfSkill } from '../store/registry/votes.ts'
import { failNoVersion } from './readable-version.ts'
import type { PreparedVersion } from './version.ts'

/**
 * Deletes a skill and its stars. Votes, feedback, reports and operator decisions are kept with its
 * text and apply to any skill that has that text now or later.
 */
export async function deleteSkill(ctx: RegistryContext, agent: KeyHolder, id: string) {
  const { repository, revision, successor } = await writeChange(ctx.db, async (trx, revision) => {
    await requireLiveCaller(ctx, trx, agent)
    const skill = await ownSkill(ctx, trx, agent, id)
    const judged = await recordJudgedTexts(ctx, trx, skill)
    if (judged.length > 0) await recordJudgedTexts(ctx, trx, skill, [skill.version])
    await recordChange(ctx, trx, revision, { type: 'skill.deleted', on: skill })
    await store.markSkillDeleted(trx, id, ctx.clock.now(), revision)
    await deleteStarsOfSkill(trx, id)
    const counts = await recountRepository(trx, skill.repository.id)
    const whom = { kind: 'skill', id } as const
    await record(ctx, trx, { action: 'skill.deleted', who: agentParty(agent.id), whom })
    const successor =
      judged.length === 0 ? undefined : await transferJudgements(ctx, trx, skill, revision)
    return { repository: { ...skill.repository, ...counts }, revision, successor }
  })
  ctx.catalogue.remove(id, revision)
  if (successor) ctx.catalogue.put(successor)
  ctx.catalogue.putRepository(repository, revision)
  return { id, deleted: true as const }
}

/** Moves judgements to another skill of the same publisher with the same readme. */
async function transferJudgements(
  ctx: RegistryContext,
  trx: Db,
  skill: SkillRecord,
  revision: number,
) {
  const { id, digest, owner } = skill
  const twin = await findTwin(trx, { id, digest, agentId: owner.id })
  const successor = twin === undefined ? undefined : await store.findSkill(trx, twin)
  const version =
    successor && (await versions.findVersion(trx, successor.id, { version: successor.version }))
  if (!successor || !version) return undefined
  const known = await findJudgedMatches(trx, owner.id, version)
  const deletedMatches = known.filter(({ text }) => text.skillId === id)
  return (await applyJudgements(ctx, trx, deletedMatches, successor, revision))
    ? store.findSkill(trx, successor.id)
    : undefined
}

export const getSkill = async (ctx: RegistryContext, id: string) =>
  readCurrent(ctx, await getVisibleSkill(ctx, id))

export interface FullSkill {
  readonly skill: SkillRecord
  readonly readme: string
  readonly signature: ShownSignature | null
  readonly findings: readonly Finding[]
  /** Answers to the findings that keep the version out of resolve. */
  readonly answers: readonly AnswerRecord[]
}

export interface PublishedSkill extends FullSkill {
  readonly allFindings: Finding[]
}

/** Returns a skill that was just written as its publisher sees it. */
export async function showPublished(
  ctx: RegistryContext,
  written: SkillRecord,
  { fields, digest, readme, lintResult, allFindings }: PreparedVersion,
  isUnsigned = false,
): Promise<PublishedSkill> {
  const { waiting: version = written.version } = written
  const skill =
    version === written.version
      ? written
      : { ...written, ...fields, ...verdictFieldsOf(lintResult), version, digest, deprecated: null }
  const signature = isUnsigned ? null : (await signaturesOf(ctx, skill))(version)
  const answers = await answersOf(ctx, skill)
  return { skill, readme, signature, findings: lintResult.findings, allFindings, answers }
}

async function readCurrent(ctx: RegistryContext, skill: SkillRecord): Promise<FullSkill> {
  const readme = (await currentReadme(ctx, skill)) ?? fail('NOT_FOUND')
  const findings = await findingsOf(ctx, skill)
  const [answers, signatures] = [await answersOf(ctx, skill), await signaturesOf(ctx, skill)]
  return { skill, readme, signature: signatures(skill.version), findings, answers }
}

/** Reads the findings with their messages. Skips the query for skills without findings. */
async function findingsOf({ db }: RegistryContext, { id, version, findings }: SkillRecord) {
  if (findings.length === 0) return []
  return (await versions.findVersion(db.read, id, { version }))?.findings ?? []
}

/** Lists the versions of a skill that the reader of the context may read, newest first. */
export async function listVersions(ctx: RegistryContext, id: string) {
  return versionsOf(ctx, await getReadableSkill(ctx, id))
}

async function versionsOf(ctx: RegistryContext, skill: SkillRecord) {
  const signature = await signaturesOf(ctx, skill)
  const list = await versions.findVersions(ctx.db.read, skill.id)
  const isPublic = list.every(({ approval }) => approval === null)
  const seesAll = isPublic || (await isPublisher(ctx, skill.repository))
  const tags = await listDistTags(ctx.db.read, skill.id)
  if (skill.version > 0) tags.unshift({ tag: 'latest', version: skill.version })
  return list
    .filter((version) => seesAll || versions.isApproved(version))
    .map((version) => ({
      ...version,
      ...(!seesAll && { approvalNote: null }),
      distTags: tags.flatMap((one) => (one.version === version.version ? one.tag : [])),
      signature: signature(version.version),
    }))
}

/** Returns a version of a skill as its publisher sees it. */
export const showVersion = async (ctx: RegistryContext, skill: SkillRecord, number: number) =>
  (await versionsOf(ctx, skill)).find(({ version }) => version === number) ?? failNoVersion()

export type SkillVersion = Awaited<ReturnType<typeof versionsOf>>[number]

/** Returns how often each version was fetched and installed on the last days, for its publishers. */
export async function listUsage(ctx: RegistryContext, agent: KeyHolder, id: string, days: number) {
  await ownSkill(ctx, ctx.db.read, agent, id, 'reader')
  return listVersionUsage(ctx.db.read, id, utcDay(ctx.clock.now() - (days - 1) * dayLength))
}
