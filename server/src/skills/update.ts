import { isDeepStrictEqual } from 'node:util'
import type { SkillChanges } from '@skillpass/contract'
import type { z } from 'zod'
import { requireLiveCaller } from '../agents/key-status.ts'
import { type ReportQuotas, spendQuotas, weighText } from '../agents/quotas.ts'
import { hasSameText, type RegistryContext } from '../catalogue/catalogue.ts'
import { ownSkill, refuseHidden } from '../catalogue/hidden.ts'
import { notifyHeld } from '../catalogue/quarantine.ts'
import { applyJudgements, moveStaleJudgements } from '../copies/apply-judgements.ts'
import { recordIfDecided, refuseRemoved } from '../copies/judged-texts.ts'
import { isClaimPlausible } from '../copies/near.ts'
import { samplePassages, timesAfter } from '../copies/passages.ts'
import { UniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import { fail, refuseField } from '../errors/failure.ts'
import type { KeyHolder } from '../store/registry/api-keys.ts'
import { insertFiles } from '../store/registry/files.ts'
import { passageKey, writeChange } from '../store/registry/revision.ts'
import {
  type CopyClaim,
  type SkillRecord,
  verdictFieldsOf,
} from '../store/registry/skill-record.ts'
import { findSkill, setCopyClaim, updateSkillFields } from '../store/registry/skills.ts'
import { forgetAnswers, undecided } from '../store/registry/states.ts'
import * as versions from '../store/registry/versions.ts'
import { digestOf } from '../text/digest.ts'
import { findFiles, nextVersion, prepareFiles, refuseMissing } from './bundles/release.ts'
import { judgeVersion } from './judge.ts'
import { prepareMove, recountMoved } from './moves.ts'
import { searchedDescription } from './parse.ts'
import { repositoryFor } from './repositories.ts'
import { signVersion } from './signatures.ts'
import { indexPublished, type PublishedSkill } from './skills.ts'

/** How often a change is prepared again if others change the skill at the same time. */
const attempts = 40

/** Changes the given fields. A changed readme or file makes a new version. */
export async function updateSkill(
  ctx: RegistryContext,
  agent: KeyHolder,
  id: string,
  changes: z.output<typeof SkillChanges>,
  reportQuotas: ReportQuotas,
): Promise<PublishedSkill> {
  // Only the changed fields count toward the quota for new words.
  const weight = await weighText(ctx, changes)
  await ownSkill(ctx.db.read, agent, id)
  const files = changes.files && (await findFiles(ctx, changes.files, agent.id))
  for (let attempt = 0; attempt < attempts; attempt++) {
    const base = await ownSkill(ctx.db.read, agent, id)
    const next = await nextVersion(ctx.db.read, base, changes, files)
    const columns = await prepareFiles(ctx, next.text, next.files)
    const { readme } = next.text
    const changed = { ...changedFields(base, changes), readme }
    const keeping = { keepsFiles: files === undefined }
    const judged = await judgeVersion(ctx, agent.id, changed, next.files, keeping)
    const sample = await ctx.catalogue.sample(readme)
    const prepared = { changes, base, next, columns, weight, ...judged }
    const written = await writeUpdate(ctx, agent, id, prepared, reportQuotas)
    if (!written) continue
    const { skill, moved, ...result } = written
    if (moved) ctx.catalogue.putRepository(moved.from, skill.revision)
    return indexPublished(ctx, skill, { ...result, sample })
  }
  return fail('CONFLICT', 'Other requests keep changing this skill. Send the change again.')
}

const changedFields = (skill: SkillRecord, changes: z.output<typeof SkillChanges>) => ({
  slug: changes.slug ?? skill.slug,
  name: changes.name ?? skill.name,
  description: changes.description ?? skill.description,
  tags: changes.tags ?? skill.tags,
})

interface PreparedChange extends Awaited<ReturnType<typeof judgeVersion>> {
  readonly changes: z.output<typeof SkillChanges>
  /** The skill at the time of preparation. */
  readonly base: SkillRecord
  readonly next: Awaited<ReturnType<typeof nextVersion>>
  readonly columns: Awaited<ReturnType<typeof prepareFiles>>
  readonly weight: Awaited<ReturnType<typeof weighText>>
}

/** Writes a change. Returns undefined if the skill has changed since the preparation. */
async function writeUpdate(
  ctx: RegistryContext,
  agent: KeyHolder,
  id: string,
  { changes, base, next, columns, warnings, judgement, weight, matches }: PreparedChange,
  reportQuotas: ReportQuotas,
) {
  const now = ctx.clock.now()
  let address = ''
  const work = async (trx: Db, revision: number) => {
    await requireLiveCaller(ctx, trx, agent)
    const before = await ownSkill(trx, agent, id)
    if (before.version !== base.version || !hasSameText(before, base)) return undefined
    const { text, isNew } = next
    const { readme } = text
    await refuseRemoved(trx, matches, agent.id, before)
    const digest = digestOf(readme)
    const { slug, ...described } = changedFields(before, changes)
    const repository = changes.repoId
      ? await repositoryFor(ctx, trx, agent, changes.repoId)
      : before.repository
    address = `${repository.owner}/${repository.name}/${slug}`
    const isElsewhere = repository.id !== before.repository.id
    if (isElsewhere || slug !== before.slug) {
      await prepareMove(ctx, trx, before, { repository, slug })
    }
    const written = {
      ...before,
      ...described,
      slug,
      indexedDescription:
        changes.description === undefined
          ? before.indexedDescription
          : searchedDescription(readme, changes.description),
    }
    // An answer applies to this version and these fields only. An operator's hold applies to all.
    const isUnchanged =
      !isNew && isDeepStrictEqual({ slug, ...described }, changedFields(before, {}))
    const version = isNew ? before.version + 1 : before.version
    if (!isUnchanged && before.stateBy !== null) await forgetAnswers(trx, id)
    const hasMovedJudgements = await moveStaleJudgements(ctx, trx, before, text, revision)
    const skill: SkillRecord = {
      ...written,
      version,
      digest,
      // Times must not decrease, even if the wall clock was set back.
      updatedAt: Math.max(now, before.updatedAt),
      revision,
      ...verdictFieldsOf(judgement),
      ...(isUnchanged || before.state !== 'visible' ? {} : undecided),
    }
    const { updatedAt: createdAt } = skill
    if (changes.copyOf !== undefined) {
      skill.copyClaim = await validateCopyClaim(trx, { ...before, readme }, changes.copyOf)
      await setCopyClaim(trx, id, skill.copyClaim, { reason: null, revision })
    }
    if (isNew) {
      skill.passageTimes = await timesAfter(trx, before, { readme, digest, now: createdAt })
      await updateSkillFields(trx, id, skill, repository.id)
      const row = { ...text, ...columns, version, digest, createdAt, judgement }
      await versions.insertVersion(trx, id, row)
      refuseMissing(next.files, await insertFiles(trx, id, version, next.files))
      await recordIfDecided(ctx, trx, skill)
    } else {
      await updateSkillFields(trx, id, skill, repository.id)
      await versions.saveJudgement(trx, id, version, judgement)
    }
    if (!isUnchanged) await notifyHeld(ctx, trx, skill)
    await spendQuotas(
      ctx,
      trx,
      agent.id,
      { skills: 0, versions: Number(isNew), ...weight },
      reportQuotas,
    )
    const moved = isElsewhere ? await recountMoved(trx, before, repository, revision) : undefined
    if (moved) skill.repository = moved.to
    const hasAppliedJudgements = await applyJudgements(ctx, trx, matches, skill, revision)
    const counted =
      hasMovedJudgements || hasAppliedJudgements ? await findSkill(trx, id) : undefined
    if (changes.signature) await signVersion(trx, agent, skill, next.files, changes.signature)
    return { skill: counted ?? skill, moved, readme, warnings, judgement }
  }
  return writeChange(ctx.db, work).catch((error: unknown) => {
    if (!(error instanceof UniqueViolation)) throw error
    return fail('CONFLICT', `There is already a skill at ${address}.`)
  })
}

/** Validates a publisher's claim that its skill is a copy. Null withdraws the claim. */
async function validateCopyClaim(
  trx: Db,
  skill: Pick<SkillRecord, 'id' | 'copyClaim' | 'owner'> & { readme: string },
  copyOf: string | null,
): Promise<CopyClaim | null> {
  if (skill.copyClaim?.by === 'operator') {
    fail('FORBIDDEN', 'An operator has decided what this skill is a copy of.')
  }
  if (copyOf === null) return null
  if (copyOf === skill.id) refuseCopyClaim('must be the id of another skill')
  const named = await findSkill(trx, copyOf)
  if (!named) fail('NOT_FOUND', `There is no skill ${copyOf}.`)
  refuseHidden(named, skill.owner.id)
  const key = await passageKey(trx)
  const original = (await versions.findCurrentReadmes(trx, [copyOf])).get(copyOf)
  const sampleOf = (readme = '') => samplePassages(readme, key).passages
  if (!isClaimPlausible(sampleOf(skill.readme), sampleOf(original?.readme))) {
    refuseCopyClaim('must be the id of a skill whose readme shares enough text with this one')
  }
  return { by: 'publisher', copyOf }
}

function refuseCopyClaim(message: string): never {
  refuseField('body', 'copyOf', message)
}
