import { isDeepStrictEqual } from 'node:util'
import type { SkillChanges } from '@skillpass/contract'
import type { z } from 'zod'
import { refuseEnded } from '../agents/key-standing.ts'
import { spendQuotas, type TellQuotas, weighText } from '../agents/quotas.ts'
import type { KeyHolder } from '../agents/store/api-keys.ts'
import { UniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import { hasSameText } from '../discovery/catalogue.ts'
import type { RegistryContext } from '../discovery/context.ts'
import { digestOf } from '../discovery/readmes.ts'
import { fail, refuseField } from '../errors/failure.ts'
import { followTexts } from '../moderation/follow.ts'
import { ownSkill, refuseHidden } from '../moderation/hidden.ts'
import { findKnown, type Known, noteIfDecided, refuseRemoved } from '../moderation/known-texts.ts'
import { judgementOf } from '../moderation/lint/findings.ts'
import type { LintWarning } from '../moderation/lint/types.ts'
import { notifyHeld } from '../moderation/quarantine.ts'
import { setAside } from '../moderation/set-aside.ts'
import { forgetAnswers, undecided } from '../moderation/store/states.ts'
import { isAlike } from '../trust/copies/near.ts'
import { timesAfter } from '../trust/copies/passage-times.ts'
import { samplePassages } from '../trust/copies/passages.ts'
import { type NextVersion, nextVersion } from './bundles/changes.ts'
import { lintWithFiles } from './bundles/lint.ts'
import { type FileColumns, findFiles, prepareFiles, refuseMissing } from './bundles/prepare.ts'
import { countMoved, leaveAddress } from './moves.ts'
import { searchedDescription } from './parse.ts'
import { repositoryFor } from './repositories.ts'
import { signVersion } from './signatures.ts'
import { type PublishedSkill, showWritten } from './skills.ts'
import { insertFiles } from './store/files.ts'
import { passageKey, writeChange } from './store/revision.ts'
import { type CopyWord, type SkillRecord, shownOf } from './store/skill-record.ts'
import { findSkill, setCopyWord, updateSkillFields } from './store/skills.ts'
import * as versions from './store/versions.ts'

/** How often a change is prepared again if others change the skill at the same time. */
const attempts = 40

/** Changes the given fields. A changed readme or file makes a new version. */
export async function updateSkill(
  ctx: RegistryContext,
  agent: KeyHolder,
  id: string,
  changes: z.output<typeof SkillChanges>,
  tell: TellQuotas,
): Promise<PublishedSkill> {
  // Only the changed fields count toward the quota for new words.
  const weight = await weighText(ctx, changes)
  await ownSkill(ctx.db.read, agent, id)
  const files = changes.files && (await findFiles(ctx, changes.files))
  for (let attempt = 0; attempt < attempts; attempt++) {
    const known = await ownSkill(ctx.db.read, agent, id)
    const next = await nextVersion(ctx.db.read, known, changes, files)
    const columns = await prepareFiles(ctx, next.text, next.files)
    const { readme } = next.text
    const warnings = await lintWithFiles(ctx, { ...textAfter(known, changes), readme }, next.files)
    const read = await ctx.catalogue.sample(readme)
    const given = { ...next.text, read }
    const judged = await findKnown(ctx.db.read, agent.id, given, ctx.catalogue)
    const ready = { changes, known, next, columns, warnings, weight, judged }
    const written = await writeUpdate(ctx, agent, id, ready, tell)
    if (!written) continue
    const { skill, left, ...shown } = written
    if (left) ctx.catalogue.putRepository(left.from, skill.revision)
    return showWritten(ctx, skill, { ...shown, sample: read.sample })
  }
  return fail('CONFLICT', 'Other requests keep changing this skill. Send the change again.')
}

/** Returns the text fields of a skill after a change. */
const textAfter = (skill: SkillRecord, changes: z.output<typeof SkillChanges>) => ({
  slug: changes.slug ?? skill.slug,
  name: changes.name ?? skill.name,
  description: changes.description ?? skill.description,
  tags: changes.tags ?? skill.tags,
})

/** A prepared change. */
interface ReadyChange {
  readonly changes: z.output<typeof SkillChanges>
  /** The skill at the time of preparation. */
  readonly known: SkillRecord
  readonly next: NextVersion
  readonly columns: FileColumns
  readonly warnings: LintWarning[]
  readonly weight: Awaited<ReturnType<typeof weighText>>
  /** Judged texts that match the new text. */
  readonly judged: readonly Known[]
}

/** Writes a change. Returns undefined if the skill has changed since the preparation. */
async function writeUpdate(
  ctx: RegistryContext,
  agent: KeyHolder,
  id: string,
  { changes, known, next, columns, warnings, weight, judged }: ReadyChange,
  tell: TellQuotas,
) {
  const now = ctx.clock.now()
  let address = ''
  const work = async (trx: Db, revision: number) => {
    await refuseEnded(ctx, trx, agent)
    const before = await ownSkill(trx, agent, id)
    if (before.version !== known.version || !hasSameText(before, known)) return undefined
    const { text, isNew } = next
    const { readme } = text
    await refuseRemoved(trx, judged, agent.id, before)
    const digest = digestOf(readme)
    const { slug, ...described } = textAfter(before, changes)
    const judgement = judgementOf(warnings)
    const repository = changes.repoId
      ? await repositoryFor(ctx, trx, agent, changes.repoId)
      : before.repository
    address = `${repository.owner}/${repository.name}/${slug}`
    const isElsewhere = repository.id !== before.repository.id
    if (isElsewhere || slug !== before.slug) {
      await leaveAddress(ctx, trx, before, { repository, slug })
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
    const isSaid = !isNew && isDeepStrictEqual({ slug, ...described }, textAfter(before, {}))
    const version = isNew ? before.version + 1 : before.version
    if (!isSaid && before.stateBy !== null) await forgetAnswers(trx, id)
    const isSetAside = await setAside(ctx, trx, before, text, revision)
    const skill: SkillRecord = {
      ...written,
      version,
      digest,
      // Times must not decrease, even if the wall clock was set back.
      updatedAt: Math.max(now, before.updatedAt),
      revision,
      ...shownOf(judgement),
      ...(isSaid || before.state !== 'visible' ? {} : undecided),
    }
    const { updatedAt: createdAt } = skill
    if (changes.copyOf !== undefined) {
      skill.copyWord = await publishersWord(trx, { ...before, readme }, changes.copyOf)
      await setCopyWord(trx, id, skill.copyWord, { reason: null, revision })
    }
    if (isNew) {
      skill.passageTimes = await timesAfter(trx, before, { readme, digest, now: createdAt })
      await updateSkillFields(trx, id, skill, repository.id)
      const row = { ...text, ...columns, version, digest, createdAt, judgement }
      await versions.insertVersion(trx, id, row)
      refuseMissing(next.files, await insertFiles(trx, id, version, next.files))
      await noteIfDecided(ctx, trx, skill)
    } else {
      await updateSkillFields(trx, id, skill, repository.id)
      await versions.saveJudgement(trx, id, version, judgement)
    }
    if (!isSaid) await notifyHeld(ctx, trx, skill)
    await spendQuotas(ctx, trx, agent.id, { skills: 0, versions: Number(isNew), ...weight }, tell)
    const left = isElsewhere ? await countMoved(trx, before, repository, revision) : undefined
    if (left) skill.repository = left.to
    const isFollowed = await followTexts(ctx, trx, judged, skill, revision)
    const counted = isSetAside || isFollowed ? await findSkill(trx, id) : undefined
    if (changes.signature) await signVersion(trx, agent, skill, next.files, changes.signature)
    return { skill: counted ?? skill, left, readme, warnings, judgement }
  }
  return writeChange(ctx.db, work).catch((error: unknown) => {
    if (!(error instanceof UniqueViolation)) throw error
    return fail('CONFLICT', `There is already a skill at ${address}.`)
  })
}

/**
 * Validates a publisher's claim that its skill is a copy of another one, with which it must share
 * enough text. Null withdraws the claim.
 */
async function publishersWord(
  trx: Db,
  skill: Pick<SkillRecord, 'id' | 'copyWord' | 'owner'> & { readme: string },
  copyOf: string | null,
): Promise<CopyWord | null> {
  if (skill.copyWord?.by === 'operator') {
    fail('FORBIDDEN', 'An operator has decided what this skill is a copy of.')
  }
  if (copyOf === null) return null
  if (copyOf === skill.id) refuseWord('must be the id of another skill')
  const named = await findSkill(trx, copyOf)
  if (!named) fail('NOT_FOUND', `There is no skill ${copyOf}.`)
  refuseHidden(named, skill.owner.id)
  const key = await passageKey(trx)
  const original = (await versions.findCurrentReadmes(trx, [copyOf])).get(copyOf)
  const sampleOf = (readme = '') => samplePassages(readme, key).passages
  if (!isAlike(sampleOf(skill.readme), sampleOf(original?.readme))) {
    refuseWord('must be the id of a skill whose readme shares enough text with this one')
  }
  return { by: 'publisher', copyOf }
}

function refuseWord(message: string): never {
  refuseField('body', 'copyOf', message)
}
