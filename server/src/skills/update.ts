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

/** How often a change is made ready again where others change the skill meanwhile. */
const attempts = 40

/** Changes the fields that are given; a changed readme or file makes a new version. */
export async function updateSkill(
  ctx: RegistryContext,
  agent: KeyHolder,
  id: string,
  changes: z.output<typeof SkillChanges>,
  tell: TellQuotas,
): Promise<PublishedSkill> {
  // What stays as it is has no new word.
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
  return fail('CONFLICT', 'Others change this skill again and again; send the change once more.')
}

/** What of a skill's record is text, after a change. */
const textAfter = (skill: SkillRecord, changes: z.output<typeof SkillChanges>) => ({
  slug: changes.slug ?? skill.slug,
  name: changes.name ?? skill.name,
  description: changes.description ?? skill.description,
  tags: changes.tags ?? skill.tags,
})

/** What a change is written with. */
interface ReadyChange {
  readonly changes: z.output<typeof SkillChanges>
  /** The skill as it was when this was made ready, and what the change makes of it. */
  readonly known: SkillRecord
  readonly next: NextVersion
  readonly columns: FileColumns
  readonly warnings: LintWarning[]
  readonly weight: Awaited<ReturnType<typeof weighText>>
  /** Judged texts that it has to do with. */
  readonly judged: readonly Known[]
}

/** Writes a change; nothing where another one has come in between since it was made ready. */
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
    // An answer is one to this version, in these words; a hold of the operator is on all.
    const isSaid = !isNew && isDeepStrictEqual({ slug, ...described }, textAfter(before, {}))
    const version = isNew ? before.version + 1 : before.version
    if (!isSaid && before.stateBy !== null) await forgetAnswers(trx, id)
    const isSetAside = await setAside(ctx, trx, before, text, revision)
    const skill: SkillRecord = {
      ...written,
      version,
      digest,
      // A wall clock that was set back must not date a change before what it changed.
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
    return fail('CONFLICT', `There is a skill at ${address} already.`)
  })
}

/**
 * What a publisher says of its own skill: that it is a copy of another one, which has a real part of its
 * text in common with it; null takes it back.
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
  if (copyOf === skill.id) refuseWord('a skill is no copy of itself')
  const named = await findSkill(trx, copyOf)
  if (!named) fail('NOT_FOUND', `There is no skill ${copyOf} to copy.`)
  refuseHidden(named, skill.owner.id)
  const key = await passageKey(trx)
  const original = (await versions.findCurrentReadmes(trx, [copyOf])).get(copyOf)
  const sampleOf = (readme = '') => samplePassages(readme, key).passages
  if (!isAlike(sampleOf(skill.readme), sampleOf(original?.readme))) {
    refuseWord('the two readmes share too little text, or are too short, for one to be a copy')
  }
  return { by: 'publisher', copyOf }
}

function refuseWord(message: string): never {
  refuseField('body', 'copyOf', message)
}
