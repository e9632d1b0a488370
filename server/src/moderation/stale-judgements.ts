import type { Context } from '../context/context.ts'
import type { Db } from '../db/open.ts'
import { findRelease } from '../skills/store/files.ts'
import { passageKey } from '../skills/store/revision.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'
import { recountSkill } from '../trust/store/counts.ts'
import { retainedSides } from './apply-judgements.ts'
import {
  fingerprintOf,
  isBare,
  isTooShort,
  judgedText,
  type Shared,
  sharesOf,
} from './fingerprint.ts'
import { insertJudgedText, recordJudgedTexts } from './judged-texts.ts'
import { listVotedVersions } from './store/judged-texts.ts'
import * as judgements from './store/judgements.ts'

/**
 * Moves judgements that do not apply to a skill's next text to a tombstone, from which they return
 * with the old text: trust follows content, not the address. Call it before the new version is
 * stored. Returns whether any judgements moved.
 */
export async function moveStaleJudgements(
  ctx: Pick<Context, 'clock' | 'random'>,
  trx: Db,
  skill: SkillRecord,
  next: Parameters<typeof judgedText>[0],
  revision: number,
): Promise<boolean> {
  const voted = await listVotedVersions(trx, skill.id)
  if (voted.length === 0 && skill.networkFetchCount === 0) return false
  const key = await passageKey(trx)
  const text = judgedText(next)
  const isReset = await resetReaders(trx, skill, text, key)
  const texts = (await recordJudgedTexts(ctx, trx, skill)).filter(({ version }) =>
    voted.includes(version),
  )
  const prints = texts.map(({ passages }) => passages)
  const shares = sharesOf(text, prints, key)
  const descriptionShares = sharesOf(next.description, prints, key)
  const { id: skillId, repository } = skill
  let isMoved = false
  for (const [i, judged] of texts.entries()) {
    const release = await findRelease(trx, judged.skillId, judged.version)
    const isWithoutReadme = release !== undefined && isBare(release.readme)
    // A text without content has nothing that a change could remove.
    if (isWithoutReadme && isTooShort(release.description)) continue
    if (judged.passages.length === 0) continue
    const stays = retainedSides(
      (isWithoutReadme ? largerShare(descriptionShares[i]) : shares[i]) ?? nothing,
    )
    const leaving = (['helpful', 'unhelpful'] as const).filter((side) => !stays[side])
    if (leaving.length === 0) continue
    isMoved = true
    const [id, now] = [ctx.random.uuid(), ctx.clock.now()]
    await judgements.insertTombstone(trx, id, { skillId, now, revision })
    await insertJudgedText(
      trx,
      { ...judged, skillId: id },
      { agentId: skill.owner.id, judgedAt: now },
    )
    const to = { skillId: id, version: judged.version, repositoryId: repository.id }
    for (const side of leaving) await judgements.moveJudgements(trx, judged, to, side)
  }
  const counted = { skillId, repositoryId: repository.id, revision }
  if (isMoved) await recountSkill(trx, counted)
  return isMoved || isReset
}

const nothing: Shared = { ofKnown: 0, ofText: 0 }

const largerShare = ({ ofKnown, ofText } = nothing): Shared => ({
  ofKnown,
  ofText: Math.max(ofKnown, ofText),
})

/** Resets the networks that read a skill if the text has changed too much. */
async function resetReaders(
  trx: Db,
  { id, version, networkFetchCount }: SkillRecord,
  text: string,
  key: number,
): Promise<boolean> {
  const release = networkFetchCount > 0 ? await findRelease(trx, id, version) : undefined
  if (!release) return false
  const [shared] = sharesOf(text, [fingerprintOf(judgedText(release), key)], key)
  if (!shared || retainedSides(shared).helpful) return false
  await judgements.moveNetworkFetches(trx, id)
  return true
}
