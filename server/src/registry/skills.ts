import { agentParty, record } from '../audit/record.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import { refuseEnded } from './access/key-standing.ts'
import { currentReadme } from './catalogue/readmes.ts'
import type { RegistryContext } from './context.ts'
import type { LintWarning } from './lint/report/types.ts'
import { failMissing, refuseHidden } from './moderation/hidden.ts'
import { skillDetail, timestamp, trustNumbers, unlinted } from './serialize/present.ts'
import { signaturesOf } from './signatures.ts'
import type { AgentRecord } from './store/agents.ts'
import type { KeyHolder } from './store/api-keys.ts'
import { takeDownloads } from './store/repositories.ts'
import { nextRevision } from './store/revision.ts'
import type { SkillRecord } from './store/skill-record.ts'
import { findSkill, markSkillDeleted } from './store/skills.ts'
import { deleteStarsOfSkill } from './store/stars.ts'
import * as versions from './store/versions.ts'

/** The skill, if it is the agent's and the operator does not hide it; else ends the request. */
export async function ownSkill(
  ctx: RegistryContext,
  trx: Db,
  agent: AgentRecord,
  id: string,
): Promise<SkillRecord> {
  const skill = await findSkill(trx, id)
  if (!skill) fail('NOT_FOUND')
  refuseHidden(ctx, skill, agent.id)
  if (skill.owner.id !== agent.id) fail('FORBIDDEN', 'Only the owner of a skill may change it.')
  return skill
}

/** Deletes a skill with its stars; no reader finds it any more. */
export async function deleteSkill(ctx: RegistryContext, agent: KeyHolder, id: string) {
  const { repository, revision } = await ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    await refuseEnded(ctx, trx, agent)
    const skill = await ownSkill(ctx, trx, agent, id)
    await markSkillDeleted(trx, id, ctx.clock.now(), revision)
    const starCount = await deleteStarsOfSkill(trx, id, skill.repository.id)
    const downloadCount = await takeDownloads(trx, skill.repository.id, skill.fetchCount)
    const whom = { kind: 'skill', id } as const
    await record(ctx, trx, { action: 'skill.deleted', who: agentParty(agent.id), whom })
    return { repository: { ...skill.repository, starCount, downloadCount }, revision }
  })
  ctx.catalogue.remove(id, revision)
  ctx.catalogue.putRepository(repository, revision)
  return { id, deleted: true as const }
}

/** The card of a skill that readers see. Throws NOT_FOUND, or what stands for a hidden one. */
export const skillCard = async (ctx: RegistryContext, id: string): Promise<SkillRecord> =>
  ctx.catalogue.get(id) ?? failMissing(ctx, { id })

/** A skill in full. `findReader` is asked who reads only where the operator hides it. */
export async function getSkill(
  ctx: RegistryContext,
  id: string,
  findReader?: () => Promise<Pick<AgentRecord, 'id'> | undefined>,
) {
  const card = ctx.catalogue.get(id) ?? (await failMissing(ctx, { id }, findReader))
  return currentDetail(ctx, card)
}

/** A skill in full, by its address. */
export async function getSkillByAddress(
  ctx: RegistryContext,
  address: { owner: string; repo: string; skill: string },
) {
  const { owner, repo, skill: slug } = address
  const card = ctx.catalogue.at(owner, repo, slug) ?? (await failMissing(ctx, address))
  return currentDetail(ctx, card)
}

async function currentDetail(ctx: RegistryContext, card: SkillRecord) {
  const readme = (await currentReadme(ctx, card)) ?? fail('NOT_FOUND')
  return detailOf(ctx, card, readme, await findingsOf(ctx, card))
}

/** A skill in full, with the signature of its current version. */
export async function detailOf(
  ctx: RegistryContext,
  card: SkillRecord,
  readme: string,
  findings: readonly LintWarning[],
) {
  const signature = (await signaturesOf(ctx, card))(card.version)
  return skillDetail(ctx, card, { readme, signature, findings })
}

/** What the lint found in the current version, with messages; most skills have nothing to be read. */
async function findingsOf({ db }: RegistryContext, { id, version, warnings }: SkillRecord) {
  if (warnings.length === 0) return []
  return (await versions.findJudgement(db.read, id, version))?.findings ?? []
}

/** The numbers a skill is judged by. */
export async function skillStats(ctx: RegistryContext, id: string) {
  const card = await skillCard(ctx, id)
  return { fetchCount: card.fetchCount, ...trustNumbers(ctx, card) }
}

/** Every version of a skill, newest first. */
export async function listVersions(ctx: RegistryContext, id: string) {
  const skill = await skillCard(ctx, id)
  const signature = await signaturesOf(ctx, skill)
  const list = await versions.listVersions(ctx.db.read, skill.id)
  const data = list.map(({ createdAt, verdict, ...item }) => ({
    ...item,
    createdAt: timestamp(createdAt),
    verdict: verdict ?? unlinted.verdict,
    signature: signature(item.version),
  }))
  return { data, total: data.length }
}
