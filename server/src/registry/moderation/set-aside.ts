import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/open.ts'
import { fingerprintOf, judgedText, type Shared, sharesOf } from '../copies/fingerprint.ts'
import { findRelease } from '../store/files.ts'
import { listVotedVersions } from '../store/judged-texts.ts'
import * as judgements from '../store/judgements.ts'
import { passageKey } from '../store/revision.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { aging } from '../votes/trust.ts'
import { sidesThatStay } from './follow.ts'
import { keepText, noteTexts } from './known-texts.ts'

interface Text {
  readonly readme: string
  readonly description: string
  readonly name: string
  readonly slug: string
}

/**
 * Trust follows content: votes, feedback and stars for texts that share little with the one that a skill
 * is to have are set aside with a deleted skill, from which they come back along with the text. Gives
 * whether any were. Runs before the new version is kept.
 */
export async function setAside(
  ctx: Pick<Context, 'clock' | 'random'>,
  trx: Db,
  skill: SkillRecord,
  next: Text,
  revision: number,
): Promise<boolean> {
  const voted = await listVotedVersions(trx, skill.id)
  if (voted.length === 0 && skill.networkFetchCount === 0) return false
  const key = await passageKey(trx)
  const isNews = await forgetReaders(trx, skill, next, key)
  const texts = (await noteTexts(ctx, trx, skill)).filter(({ version }) => voted.includes(version))
  const prints = texts.map(({ passages }) => passages)
  const shares = sharesOf(judgedText(next), prints, key)
  const record = sharesOf([next.name, next.description, next.slug].join('\n'), prints, key)
  const { id: skillId, repository } = skill
  let isLeft = false
  for (const [i, text] of texts.entries()) {
    // Without a readme, a version is judged by what else it says.
    const shared = text.bare ? eitherWay(record[i]) : shares[i]
    const stays = shared && text.passages.length > 0 ? sidesThatStay(shared) : everything
    const leaves = { helpful: !stays.helpful, unhelpful: !stays.unhelpful }
    if (!leaves.helpful && !leaves.unhelpful) continue
    isLeft = true
    const id = ctx.random.uuid()
    const now = ctx.clock.now()
    await judgements.insertTombstone(trx, id, { skillId, now, revision })
    await keepText(trx, { ...text, skillId: id }, { agentId: skill.owner.id, judgedAt: now })
    const to = { skillId: id, version: text.version, repositoryId: repository.id }
    await judgements.moveJudgements(trx, text, to, leaves)
    await judgements.recountJudgements(trx, { ...to, revision }, aging)
  }
  const counted = { skillId, repositoryId: repository.id, revision }
  if (isLeft) await judgements.recountJudgements(trx, counted, aging)
  return isLeft || isNews
}

const eitherWay = (shared?: Shared): Shared | undefined =>
  shared && { ...shared, ofText: Math.max(shared.ofKnown, shared.ofText) }

const everything = { helpful: true, unhelpful: true }

/** Has the trust of a skill forget who read another text; gives whether it did. */
async function forgetReaders(
  trx: Db,
  { id, version, networkFetchCount }: SkillRecord,
  next: Text,
  key: number,
): Promise<boolean> {
  const release = networkFetchCount > 0 ? await findRelease(trx, id, version) : undefined
  if (!release) return false
  const [shared] = sharesOf(judgedText(next), [fingerprintOf(judgedText(release), key)], key)
  if (!shared || sidesThatStay(shared).helpful) return false
  await judgements.addNetworkFetches(trx, id, -networkFetchCount)
  return true
}
