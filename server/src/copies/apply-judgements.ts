import { notify } from '../audit/notices.ts'
import type { Db } from '../db/open.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { upsertAnswer } from '../store/registry/answers.ts'
import { recountSkill } from '../store/registry/counts.ts'
import { moveNetworkFetches } from '../store/registry/fetches.ts'
import { type KnownText, listVotedVersions } from '../store/registry/judged-texts.ts'
import * as judgements from '../store/registry/judgements.ts'
import { passageKey } from '../store/registry/passage-key.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { setCopyClaim } from '../store/registry/skills.ts'
import { setState } from '../store/registry/states.ts'
import { findVersion } from '../store/registry/versions.ts'
import {
  comparer,
  fingerprintOf,
  isBare,
  isTooShort,
  judgedText,
  type Shared,
} from './fingerprint.ts'
import { type JudgedMatch, recordJudgedTexts, storeJudgedText } from './judged-texts.ts'

/** Minimum share of text in common for judgements to stay with a changed skill. */
const minRetainedShare = 0.3

/**
 * Decides which judgements stay with a changed text. Negative ones stay if either text contains
 * enough of the other. Positive ones stay only if enough of the new text was judged.
 */
const retainedSides = ({ ofKnown, ofText }: Shared) => ({
  helpful: ofText >= minRetainedShare,
  unhelpful: Math.max(ofKnown, ofText) >= minRetainedShare,
})

/**
 * Applies earlier judgements of a text to a skill that now has it. From any publisher: an
 * operator's hold, an operator's decision on the original, and open reports on a deleted skill.
 * From the same publisher: votes and feedback on a deleted skill, positive votes and stars only if
 * the text is identical. A new skill at the address of the publisher's deleted one succeeds it.
 * Returns whether anything was applied.
 */
export async function applyJudgements(
  ctx: OperatorContext,
  trx: Db,
  matches: readonly JudgedMatch[],
  skill: SkillRecord,
  revision: number,
): Promise<boolean> {
  let hasApplied = false
  const to = { skillId: skill.id, version: skill.version, repositoryId: skill.repository.id }
  for (const { text, shared, isSame, isExact } of matches) {
    const { skillId, version, repositoryId } = text
    const isGone = text.deletedAt !== null
    if (skillId === skill.id || (isGone && text.state === 'hidden')) continue
    const isOwn = text.agentId === skill.owner.id
    const isSuccessor =
      isOwn && isGone && repositoryId === to.repositoryId && text.slug === skill.slug
    if (!isSame && !isSuccessor) continue
    const applied = [await applyDecisions(ctx, trx, text, skill, revision)]
    if (isGone || (isOwn && version !== text.current)) {
      const from = isGone ? { skillId } : { skillId, version }
      applied.push(await judgements.moveReports(trx, from, to))
    }
    if (isOwn && isGone) {
      await judgements.moveOriginal(trx, skillId, skill.id, revision)
      const move = (from: judgements.VersionSelection, side: judgements.Side) =>
        judgements.moveJudgements(trx, from, to, side)
      if (isExact) {
        applied.push(await move({ skillId, version }, 'helpful'))
        await moveNetworkFetches(trx, skillId, skill.id)
      }
      if (isSame || retainedSides(shared).unhelpful) {
        applied.push(await move({ skillId }, 'unhelpful'))
      }
    }
    hasApplied ||= applied.includes(true)
  }
  if (!hasApplied) return false
  // Record this text too, so that later skills with it are recognized.
  await recordJudgedTexts(ctx, trx, skill, [skill.version])
  await recountSkill(trx, { ...to, revision })
  return true
}

async function applyDecisions(
  ctx: OperatorContext,
  trx: Db,
  text: KnownText,
  skill: SkillRecord,
  revision: number,
): Promise<boolean> {
  let hasApplied = false
  const { state, stateBy, copyOf } = text
  if (state === 'held' && stateBy === 'operator' && skill.state !== 'held') {
    const [reason, at] = [text.stateReason ?? '', text.stateAt ?? ctx.clock.now()]
    const answer = { answeredBy: stateBy, decision: state, text: reason, createdAt: at }
    await upsertAnswer(trx, skill.id, answer)
    Object.assign(skill, { state, stateBy, stateReason: reason })
    await setState(trx, skill.id, { ...skill, at }, revision)
    await notify(ctx, trx, skill.owner.id, { action: 'skill.held', skill, reason })
    hasApplied = true
  }
  const isOwnGone = text.agentId === skill.owner.id && text.deletedAt !== null
  const isDecided = text.copyBy === 'operator' && (copyOf !== null || isOwnGone)
  if (isDecided && skill.copyClaim?.by !== 'operator' && copyOf !== skill.id) {
    skill.copyClaim = { by: 'operator', copyOf }
    await setCopyClaim(trx, skill.id, skill.copyClaim, { reason: text.copyReason, revision })
    hasApplied = true
  }
  return hasApplied
}

/**
 * Moves judgements that do not apply to a skill's next text to a tombstone, from which they return
 * with the old text: trust follows content, not the address. Call it before the new version is
 * stored. Returns whether any judgements moved.
 */
export async function moveStaleJudgements(
  ctx: OperatorContext,
  trx: Db,
  skill: SkillRecord,
  next: Parameters<typeof judgedText>[0],
  revision: number,
): Promise<boolean> {
  const voted = await listVotedVersions(trx, skill.id)
  if (voted.length === 0 && skill.networkFetchCount === 0) return false
  const key = await passageKey(trx)
  const sharedWith = comparer(judgedText(next), key)
  const sharedWithDescription = comparer(next.description, key)
  const isReset = await resetReaders(trx, skill, sharedWith, key)
  const texts = (await recordJudgedTexts(ctx, trx, skill)).filter(({ version }) =>
    voted.includes(version),
  )
  const { id: skillId, repository } = skill
  let isMoved = false
  for (const judged of texts) {
    const version = await findVersion(trx, skillId, { version: judged.version })
    const isWithoutReadme = version !== undefined && isBare(version.readme)
    // A text without content has nothing that a change could remove.
    if (isWithoutReadme && isTooShort(version.description)) continue
    if (judged.passages.length === 0) continue
    const { helpful, unhelpful } = retainedSides(
      (isWithoutReadme ? sharedWithDescription : sharedWith)(judged.passages),
    )
    const stays = { helpful: isWithoutReadme ? unhelpful : helpful, unhelpful }
    const leaving = (['helpful', 'unhelpful'] as const).filter((side) => !stays[side])
    if (leaving.length === 0) continue
    isMoved = true
    const [id, now] = [ctx.random.uuid(), ctx.clock.now()]
    await judgements.insertTombstone(trx, id, { skillId, now, revision })
    await storeJudgedText(trx, { ...judged, skillId: id, agentId: skill.owner.id, judgedAt: now })
    const to = { skillId: id, version: judged.version, repositoryId: repository.id }
    for (const side of leaving) await judgements.moveJudgements(trx, judged, to, side)
  }
  const counted = { skillId, repositoryId: repository.id, revision }
  if (isMoved) await recountSkill(trx, counted)
  return isMoved || isReset
}

/** Resets the networks that read a skill if the text has changed too much. */
async function resetReaders(
  trx: Db,
  { id, version, networkFetchCount }: SkillRecord,
  sharedWith: ReturnType<typeof comparer>,
  key: number,
): Promise<boolean> {
  const found = networkFetchCount > 0 ? await findVersion(trx, id, { version }) : undefined
  if (!found) return false
  if (retainedSides(sharedWith(fingerprintOf(judgedText(found), key))).helpful) return false
  await moveNetworkFetches(trx, id)
  return true
}
