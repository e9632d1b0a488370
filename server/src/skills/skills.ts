import { refuseEnded } from '../agents/key-standing.ts'
import type { AgentRecord } from '../agents/store/agents.ts'
import type { KeyHolder } from '../agents/store/api-keys.ts'
import { agentParty, record } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import type { RegistryContext } from '../discovery/context.ts'
import { currentReadme } from '../discovery/readmes.ts'
import { type ShownSignature, signaturesOf } from '../discovery/signatures.ts'
import { fail } from '../errors/failure.ts'
import { followTexts } from '../moderation/follow.ts'
import { failMissing, ownSkill } from '../moderation/hidden.ts'
import { findKnown, noteTexts } from '../moderation/known-texts.ts'
import type { Judgement, LintWarning } from '../moderation/lint/types.ts'
import { answersOf } from '../moderation/quarantine.ts'
import { findTwin } from '../moderation/store/judged-texts.ts'
import type { AnswerRecord } from '../moderation/store/states.ts'
import type { Sample } from '../trust/copies/passages.ts'
import { recountRepository } from '../trust/store/counts.ts'
import { deleteStarsOfSkill } from '../trust/store/stars.ts'
import { findRelease } from './store/files.ts'
import { writeChange } from './store/revision.ts'
import type { SkillRecord } from './store/skill-record.ts'
import * as store from './store/skills.ts'
import * as versions from './store/versions.ts'

/**
 * Deletes a skill with its stars; no reader finds it any more. What else was said of it follows its text
 * into the skill that has it now or will have it.
 */
export async function deleteSkill(ctx: RegistryContext, agent: KeyHolder, id: string) {
  const { repository, revision, heir } = await writeChange(ctx.db, async (trx, revision) => {
    await refuseEnded(ctx, trx, agent)
    const skill = await ownSkill(trx, agent, id)
    const judged = await noteTexts(ctx, trx, skill)
    if (judged.length > 0) await noteTexts(ctx, trx, skill, [skill.version])
    await store.deleteSkill(trx, id, ctx.clock.now(), revision)
    await deleteStarsOfSkill(trx, id)
    const counts = await recountRepository(trx, skill.repository.id)
    const whom = { kind: 'skill', id } as const
    await record(ctx, trx, { action: 'skill.deleted', who: agentParty(agent.id), whom })
    const heir = judged.length === 0 ? undefined : await leaveTexts(ctx, trx, skill, revision)
    return { repository: { ...skill.repository, ...counts }, revision, heir }
  })
  ctx.catalogue.remove(id, revision)
  if (heir) ctx.catalogue.put(heir)
  ctx.catalogue.putRepository(repository, revision)
  return { id, deleted: true as const }
}

/** Leaves what was said of a deleted skill to another one of the same publisher that has its readme. */
async function leaveTexts(ctx: RegistryContext, trx: Db, skill: SkillRecord, revision: number) {
  const { id, digest, owner } = skill
  const twin = await findTwin(trx, { id, digest, agentId: owner.id })
  const heir = twin === undefined ? undefined : await store.findSkill(trx, twin)
  const release = heir && (await findRelease(trx, heir.id, heir.version))
  if (!heir || !release) return undefined
  const known = await findKnown(trx, owner.id, release)
  const left = known.filter(({ text }) => text.skillId === id)
  return (await followTexts(ctx, trx, left, heir, revision))
    ? store.findSkill(trx, heir.id)
    : undefined
}

/** A skill that readers see. Throws NOT_FOUND, or what stands for a hidden one. */
export const shownSkill = async (ctx: RegistryContext, id: string): Promise<SkillRecord> =>
  ctx.catalogue.get(id) ?? failMissing(ctx, { id })

/** A skill in full. `findReader` is asked who reads only where the operator hides it. */
export async function getSkill(
  ctx: RegistryContext,
  id: string,
  findReader?: () => Promise<Pick<AgentRecord, 'id'> | undefined>,
) {
  return readCurrent(ctx, ctx.catalogue.get(id) ?? (await failMissing(ctx, { id }, findReader)))
}

/** A skill in full, by its address. */
export async function getSkillByAddress(
  ctx: RegistryContext,
  address: { owner: string; repo: string; skill: string },
) {
  const { owner, repo, skill: slug } = address
  return readCurrent(ctx, ctx.catalogue.at(owner, repo, slug) ?? (await failMissing(ctx, address)))
}

/** A skill in full: the readme and signature of its current version, and what the lint found in that. */
export interface FullSkill {
  readonly skill: SkillRecord
  readonly readme: string
  readonly signature: ShownSignature | null
  readonly findings: readonly LintWarning[]
  /** What was answered where findings keep it out of resolve. */
  readonly answers: readonly AnswerRecord[]
}

/** A skill in full as it was just written, and all that the lint tells its author. */
export interface PublishedSkill extends FullSkill {
  readonly warnings: LintWarning[]
}

/** Shows a skill that was just written to every reader; gives what its publisher gets back. */
export async function showWritten(
  ctx: RegistryContext,
  skill: SkillRecord,
  written: {
    readme: string
    judgement: Judgement
    warnings: LintWarning[]
    sample: Sample
    isUnsigned?: boolean
  },
): Promise<PublishedSkill> {
  const { readme, judgement, warnings, sample } = written
  await ctx.catalogue.admit(skill, readme, sample)
  ctx.readmes.set(skill.digest, readme)
  const signature = written.isUnsigned ? null : (await signaturesOf(ctx, skill))(skill.version)
  const answers = await answersOf(ctx, skill)
  return { skill, readme, signature, findings: judgement.findings, warnings, answers }
}

async function readCurrent(ctx: RegistryContext, skill: SkillRecord): Promise<FullSkill> {
  const readme = (await currentReadme(ctx, skill)) ?? fail('NOT_FOUND')
  const findings = await findingsOf(ctx, skill)
  const [answers, signatures] = [await answersOf(ctx, skill), await signaturesOf(ctx, skill)]
  return { skill, readme, signature: signatures(skill.version), findings, answers }
}

/** What the lint found in the current version, with messages; most skills have nothing to be read. */
async function findingsOf({ db }: RegistryContext, { id, version, warnings }: SkillRecord) {
  if (warnings.length === 0) return []
  return versions.findFindings(db.read, id, version)
}

/** Every version of a skill with its signature, newest first. */
export async function listVersions(ctx: RegistryContext, id: string) {
  const skill = await shownSkill(ctx, id)
  const signature = await signaturesOf(ctx, skill)
  const list = await versions.listVersions(ctx.db.read, skill.id)
  return list.map((version) => ({ ...version, signature: signature(version.version) }))
}

export type SkillVersion = Awaited<ReturnType<typeof listVersions>>[number]
