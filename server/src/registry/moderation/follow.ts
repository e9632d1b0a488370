import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/open.ts'
import type { Shared } from '../copies/fingerprint.ts'
import { keepAnswer, listAnswers, setAnswer } from '../store/answers.ts'
import {
  type KnownText,
  listJudgedTexts,
  listReportedVersions,
  listVotedVersions,
} from '../store/judged-texts.ts'
import * as judgements from '../store/judgements.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { setCopyWord } from '../store/skills.ts'
import { aging } from '../votes/trust.ts'
import { type Known, keepText, noteTexts } from './known-texts.ts'
import { notify } from './notices.ts'

/** Least share that a text and a judged one of the same skill have in common for what was said to stay. */
const STAYS = 0.3

type Following = Pick<Context, 'clock' | 'random'>

/**
 * What was said of a text follows it into a skill that has it now: the votes, feedback and stars of a
 * deleted skill of the same publisher, and whoever publishes it the reports on a deleted one, the
 * operator's hold and its word on the original. A skill at the address of a deleted one goes on for it.
 * Gives whether anything came.
 */
export async function followTexts(
  ctx: Following,
  trx: Db,
  known: readonly Known[],
  skill: SkillRecord,
  revision: number,
): Promise<boolean> {
  let came = false
  for (const one of known) {
    const { text } = one
    if (text.skillId === skill.id || text.removedReason !== null) continue
    const isOwn = text.agentId === skill.owner.id
    const isGone = text.deletedAt !== null
    const isSuccessor = isOwn && isGone && isAtAddress(text, skill)
    const isTomb = isOwn && isGone && text.slug === skill.id
    if (!one.isSame && !isSuccessor && !isTomb) continue
    if (one.isSame || isSuccessor)
      came = (await followDecisions(ctx, trx, text, skill, revision)) || came
    const place = { trx, ctx, text, skill, revision }
    if (isGone || (isOwn && text.version !== text.current)) {
      came = (await followReports(place, isSuccessor)) || came
    }
    if (!isOwn || !isGone) continue
    const sides = sidesOf(one, isSuccessor || isTomb)
    if (sides.helpful || sides.unhelpful) came = (await followVotes(place, sides)) || came
    if (!isTomb) await judgements.moveOriginal(trx, text.skillId, skill.id, revision)
  }
  return came
}

const isAtAddress = (text: KnownText, skill: SkillRecord) =>
  text.repositoryId === skill.repository.id && text.slug === skill.slug

interface Place {
  ctx: Following
  trx: Db
  text: KnownText
  skill: SkillRecord
  revision: number
}

/** The operator's hold, and what it has decided that the text is a copy of. */
async function followDecisions(
  ctx: Following,
  trx: Db,
  text: KnownText,
  skill: SkillRecord,
  revision: number,
): Promise<boolean> {
  const { skillId, copyOf, copyReason: reason } = text
  let came = false
  if (text.answer === 'held' && skill.answer !== 'held') {
    const said = await listAnswers(trx, { skillId, version: text.current })
    const hold = said.find(({ decision }) => decision === 'held')
    const answer = { answeredBy: 'operator', decision: 'held', text: hold?.text ?? '' } as const
    const createdAt = hold?.createdAt ?? ctx.clock.now()
    const place = { skillId: skill.id, version: skill.version }
    await keepAnswer(trx, place, { ...answer, createdAt })
    await setAnswer(trx, skill.id, 'held', revision)
    skill.answer = 'held'
    await notify(ctx, trx, skill.owner.id, { action: 'skill.held', skill, reason: answer.text })
    came = true
  }
  const isOwnGone = text.agentId === skill.owner.id && text.deletedAt !== null
  const isDecided = text.copyBy === 'operator' && (copyOf !== null || isOwnGone)
  if (isDecided && skill.copyWord?.by !== 'operator' && copyOf !== skill.id) {
    skill.copyWord = { by: 'operator', copyOf }
    await setCopyWord(trx, skill.id, skill.copyWord, { reason, revision })
    came = true
  }
  // The next one that has this text is to be known by it, too.
  if (came) await noteTexts(ctx, trx, skill, [skill.version])
  return came
}

async function followReports(place: Place, isSuccessor: boolean): Promise<boolean> {
  const { trx, text, skill } = place
  const { skillId, version } = text
  const reported = await listReportedVersions(trx, skillId)
  if (isSuccessor ? reported.length === 0 : !reported.includes(version)) return false
  const from = isSuccessor ? { skillId } : { skillId, version }
  await judgements.moveReports(trx, from, { skillId: skill.id, version: await adopt(place) })
  return true
}

async function followVotes(place: Place, sides: judgements.Sides): Promise<boolean> {
  const { trx, text, skill, revision } = place
  const { skillId, version, networkFetchCount } = text
  if (!(await listVotedVersions(trx, skillId)).includes(version)) return false
  const repositoryId = skill.repository.id
  const to = { skillId: skill.id, version: await adopt(place), repositoryId }
  await judgements.moveJudgements(trx, { skillId, version }, to, sides)
  if (sides.helpful && networkFetchCount > 0) {
    await judgements.addNetworkFetches(trx, skillId, -networkFetchCount)
    await judgements.addNetworkFetches(trx, skill.id, networkFetchCount)
    text.networkFetchCount = 0
  }
  await judgements.recountJudgements(
    trx,
    { skillId, repositoryId: text.repositoryId, revision },
    aging,
  )
  await judgements.recountJudgements(trx, { skillId: skill.id, repositoryId, revision }, aging)
  return true
}

/** The number of a judged text in the skill that it follows into. */
async function adopt({ ctx, trx, text, skill }: Place): Promise<number> {
  const { digest, passages, bare } = text
  const texts = await listJudgedTexts(trx, skill.id)
  const known = texts.find(
    (one) => one.digest === digest && one.passages.join() === passages.join(),
  )
  if (known) return known.version
  const version = Math.min(0, ...texts.map((one) => one.version)) - 1
  const by = { agentId: skill.owner.id, judgedAt: ctx.clock.now() }
  await keepText(trx, { skillId: skill.id, version, digest, passages, bare }, by)
  return version
}

/** What of that which was said of a judged text is true of another one. */
function sidesOf({ shared, isSame }: Pick<Known, 'shared' | 'isSame'>, isOneSkill: boolean) {
  if (isOneSkill) return sidesThatStay(shared)
  return { helpful: isSame && shared.ofText >= 0.6, unhelpful: isSame }
}

/**
 * What speaks against a text stays with all that has a part of it; what speaks for it only where a part of
 * what is read now was judged.
 */
export const sidesThatStay = ({ ofKnown, ofText }: Shared): judgements.Sides => ({
  helpful: ofText >= STAYS,
  unhelpful: Math.max(ofKnown, ofText) >= STAYS,
})
