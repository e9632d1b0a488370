import type { SkillChanges } from '@skillpass/contract'
import type { z } from 'zod'
import { requireLiveCaller } from '../agents/api-keys.ts'
import { type ReportQuotas, spendQuotas, weighText } from '../agents/quotas.ts'
import { agentParty, record } from '../audit/record.ts'
import { hasSameText, type RegistryContext } from '../catalogue/catalogue.ts'
import { notifyQuarantined } from '../catalogue/quarantine.ts'
import { ownSkill, refuseHidden } from '../catalogue/require-skill.ts'
import { requireRole } from '../catalogue/roles.ts'
import { refuseRemoved } from '../copies/judged-texts.ts'
import { isClaimPlausible } from '../copies/near.ts'
import { sampleOf, samplePassages } from '../copies/passages.ts'
import { UniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import { fail, refuseField } from '../errors/failure.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import { passageKey } from '../store/registry/passage-key.ts'
import { writeChange } from '../store/registry/revision.ts'
import { type CopyClaim, ownerOf, type SkillRecord } from '../store/registry/skill-record.ts'
import { findSkill, setCopyClaim } from '../store/registry/skills.ts'
import { findCurrentReadmes } from '../store/registry/versions.ts'
import { findFiles } from './bundles/version-files.ts'
import { prepareMove, recountMoved } from './moves.ts'
import { searchedDescription } from './parse.ts'
import { changeOwner, findDestination } from './repositories.ts'
import { signVersion } from './signatures.ts'
import { type PublishedSkill, showPublished } from './skills.ts'
import {
  indexVersion,
  isChanged,
  type PreparedVersion,
  prepareVersion,
  writeVersion,
} from './version.ts'

type Changes = z.output<typeof SkillChanges>

/** How often a change is prepared again if others change the skill at the same time. */
const attempts = 40

/** Changes the given fields. A changed readme or file makes a new version. */
export async function updateSkill(
  ctx: RegistryContext,
  agent: KeyHolder,
  id: string,
  changes: Changes,
  reportQuotas: ReportQuotas,
): Promise<PublishedSkill> {
  // Only the changed fields count toward the quota for new words.
  const weight = await weighText(ctx, changes)
  await ownSkill(ctx, ctx.db.read, agent, id)
  const files = changes.files && (await findFiles(ctx, changes.files, agent.id))
  for (let attempt = 0; attempt < attempts; attempt++) {
    const base = await ownSkill(ctx, ctx.db.read, agent, id)
    const wanted = { fields: changedFields(base, changes), readme: changes.readme, files }
    const version = await prepareVersion(ctx, base.owner.id, base, wanted)
    const written = await writeUpdate(ctx, agent, { base, changes, version }, async (trx) => {
      const usage = { skills: 0, versions: Number(version.isNew), ...weight }
      await spendQuotas(ctx, trx, agent.id, usage, reportQuotas)
    })
    if (!written) continue
    const { skill, left } = written
    if (left) ctx.catalogue.putRepository(left, skill.revision)
    await indexVersion(ctx, skill, version)
    return showPublished(ctx, skill, version)
  }
  return fail('CONFLICT', 'Other requests keep changing this skill. Send the change again.')
}

const changedFields = (skill: SkillRecord, changes: Changes) => ({
  slug: changes.slug ?? skill.slug,
  name: changes.name ?? skill.name,
  description: changes.description ?? skill.description,
  tags: changes.tags ?? skill.tags,
})

interface PreparedChange {
  /** The skill at the time of preparation. */
  readonly base: SkillRecord
  readonly changes: Changes
  readonly version: PreparedVersion
}

/**
 * Writes a change. Returns the skill and, if it moved, the repository that it left. Returns
 * undefined if the skill has changed since the preparation.
 */
async function writeUpdate(
  ctx: RegistryContext,
  agent: KeyHolder,
  { base, changes, version }: PreparedChange,
  spend: (trx: Db) => Promise<void>,
) {
  const { slug } = version
  let address = ''
  const work = async (trx: Db, revision: number) => {
    await requireLiveCaller(ctx, trx, agent)
    const before = await ownSkill(ctx, trx, agent, base.id)
    const { approval } = base.owner
    if (before.version !== base.version || before.owner.approval !== approval) return undefined
    if (!hasSameText(before, base)) return undefined
    await refuseRemoved(trx, version.matches, before.owner.id, before)
    const { repository = before.repository, owner = before.owner } = changes.repoId
      ? await findDestination(trx, agent, { repoId: changes.repoId })
      : {}
    if (owner.id !== before.owner.id && owner.approval !== 'none') {
      const remedy = 'Publish the skill there instead of moving it.'
      fail('CONFLICT', `${owner.username} approves what is published in it. ${remedy}`)
    }
    address = `${repository.owner}/${repository.name}/${slug}`
    const isElsewhere = repository.id !== before.repository.id
    if (isElsewhere || slug !== before.slug) {
      await prepareMove(ctx, trx, before, { repository, slug })
    }
    if (repository.visibility !== before.repository.visibility) {
      for (const side of [before.repository, repository]) {
        await requireRole(trx, agent, side, 'owner')
      }
      const [who, whom] = [agentParty(agent.id), { kind: 'skill', id: before.id } as const]
      const note = `${address}: ${repository.visibility}`
      await record(ctx, trx, { action: 'repository.visibility-changed', who, whom, note })
    }
    if (changes.copyOf !== undefined) {
      before.copyClaim = await validateCopyClaim(ctx, trx, before, version, changes.copyOf)
      await setCopyClaim(trx, before.id, before.copyClaim, { reason: null, revision })
    }
    const indexedDescription =
      changes.description === undefined
        ? before.indexedDescription
        : searchedDescription(version.readme, changes.description)
    const { id: publishedBy, sourceCommit } = agent
    const { label } = changes
    if (label && !version.isNew && label !== before.label) {
      refuseField('body', 'label', 'belongs to a new version: change the readme or the files, too')
    }
    const origin = version.isNew ? { sourceCommit, label } : {}
    const about = { indexedDescription, publishedBy, ...origin }
    const to = { before, repository, owner: ownerOf(owner), revision, ...about }
    const skill = await writeVersion(ctx, trx, to, version)
    if (isChanged(before, version)) await notifyQuarantined(ctx, trx, skill)
    await spend(trx)
    if (changes.signature) await signVersion(trx, agent, skill, version, changes.signature)
    if (!isElsewhere) return { skill, left: undefined }
    if (owner.id !== before.owner.id) await changeOwner(trx, ['id', skill.id], owner.id, revision)
    const moved = await recountMoved(trx, before, repository, revision)
    return { skill: (await findSkill(trx, skill.id)) ?? skill, left: moved.from }
  }
  return writeChange(ctx.db, work).catch((error: unknown) => {
    if (!(error instanceof UniqueViolation)) throw error
    return fail('CONFLICT', `There is already a skill at ${address}.`)
  })
}

/** Validates a publisher's claim that its skill is a copy. Null withdraws the claim. */
async function validateCopyClaim(
  ctx: RegistryContext,
  trx: Db,
  skill: SkillRecord,
  { passages }: PreparedVersion,
  copyOf: string | null,
): Promise<CopyClaim | null> {
  if (skill.copyClaim?.by === 'operator') {
    fail('FORBIDDEN', 'An operator has decided what this skill is a copy of.')
  }
  if (copyOf === null) return null
  if (copyOf === skill.id) refuseCopyClaim('must be the id of another skill')
  const named = await findSkill(trx, copyOf)
  // Private skills have no near-copies.
  if (!named || named.repository.visibility === 'private')
    fail('NOT_FOUND', `There is no skill ${copyOf}.`)
  refuseHidden(ctx, named)
  const key = await passageKey(trx)
  const original = (await findCurrentReadmes(trx, [copyOf])).get(copyOf)
  const { passages: known } = samplePassages(original?.readme ?? '', key)
  if (!isClaimPlausible(sampleOf(passages.now()).passages, known)) {
    refuseCopyClaim('must be the id of a skill whose readme shares enough text with this one')
  }
  return { by: 'publisher', copyOf }
}

function refuseCopyClaim(message: string): never {
  refuseField('body', 'copyOf', message)
}
