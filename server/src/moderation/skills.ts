import { notify } from '../audit/notices.ts'
import { recordChange } from '../audit/record-change.ts'
import { recordJudgedTexts } from '../copies/judged-texts.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { upsertAnswer } from '../store/registry/answers.ts'
import { recountRepository, recountSkill } from '../store/registry/counts.ts'
import { nextRevision } from '../store/registry/revision.ts'
import { addressOf, type CopyClaim, type SkillRecord } from '../store/registry/skill-record.ts'
import { markSkillDeleted, setCopyClaim } from '../store/registry/skills.ts'
import { setState, showSkills } from '../store/registry/states.ts'
import { deleteJudgements, deleteStarsOfSkill } from '../store/registry/votes.ts'
import {
  closeReports,
  findNamedAgent,
  findNamedSkill,
  moderateSkill,
  recordByOperator,
} from './actions.ts'

/**
 * Operator action on a skill, given by id or `owner/repo/slug`. Throws NOT_FOUND. Running servers
 * apply it within a second.
 */
type SkillAction = (ctx: OperatorContext, name: string, reason: string) => Promise<SkillRecord>

/** Hides a skill from every reader. Its stars, votes and versions are kept. */
export const hideSkill: SkillAction = (ctx, name, reason) =>
  moderateSkill(ctx, name, 'skill.hidden', reason, async (trx, skill, revision) => {
    await recordJudgedTexts(ctx, trx, skill, [skill.version])
    await recordGone(ctx, trx, skill, revision, reason)
    await setState(trx, skill.id, hiddenBy(ctx, reason), revision)
    await closeReports(ctx, trx, { skillId: skill.id }, `The skill is hidden: ${reason}`)
    await recountRepository(trx, skill.repository.id)
  })

async function recordGone(
  ctx: OperatorContext,
  trx: Db,
  skill: SkillRecord,
  revision: number,
  reason: string,
): Promise<void> {
  if (skill.state === 'hidden') return
  await recordChange(ctx, trx, revision, { type: 'skill.deleted', on: skill, details: { reason } })
}

/** Makes a hidden skill visible again. Throws CONFLICT if it is not hidden. */
export const showSkill: SkillAction = (ctx, name, reason) =>
  moderateSkill(ctx, name, 'skill.shown', reason, async (trx, skill, revision) => {
    if (skill.state !== 'hidden') fail('CONFLICT', `${addressOf(skill)} is not hidden.`)
    await showSkills(trx, { id: skill.id }, revision)
    await recordChange(ctx, trx, revision, { type: 'skill.published', on: skill })
    await recountRepository(trx, skill.repository.id)
  })

/** Deletes a skill permanently. Its address and its text cannot be published again. */
export const removeSkill: SkillAction = (ctx, name, reason) =>
  moderateSkill(ctx, name, 'skill.deleted', reason, async (trx, skill, revision) => {
    await recordJudgedTexts(ctx, trx, skill, [skill.version])
    await recordGone(ctx, trx, skill, revision, reason)
    await setState(trx, skill.id, hiddenBy(ctx, reason), revision)
    await closeReports(ctx, trx, { skillId: skill.id }, `The skill is deleted: ${reason}`)
    await markSkillDeleted(trx, skill.id, ctx.clock.now(), revision)
    await deleteStarsOfSkill(trx, skill.id)
    await recountRepository(trx, skill.repository.id)
  })

/** Releases the current version of a skill into resolve, whatever the lint found. */
export const releaseSkill: SkillAction = (ctx, name, reason) =>
  decide(ctx, name, 'released', reason)

/**
 * Keeps a skill out of resolve until it is released, whatever its publisher answers or changes,
 * while its current version has a finding of a quarantined rule.
 */
export const holdSkill: SkillAction = (ctx, name, reason) => decide(ctx, name, 'held', reason)

const decide = (ctx: OperatorContext, name: string, decision: 'released' | 'held', text: string) =>
  moderateSkill(
    ctx,
    name,
    `skill.${decision}`,
    text,
    async (trx, { id, owner, state: before, version }, revision) => {
      const at = ctx.clock.now()
      await recordJudgedTexts(ctx, trx, { id, owner }, [version])
      await upsertAnswer(trx, id, { answeredBy: 'operator', decision, text, createdAt: at })
      const state = decision === 'held' ? 'held' : 'visible'
      if (before === 'hidden') return
      await setState(trx, id, { state, stateBy: 'operator', stateReason: text, at }, revision)
    },
    ({ version }) => `version ${version}: ${text}`,
  )

/** An operator's decision: the original of a skill, that it is not a copy, or undecided. */
export type Decision = { copyOf: string } | 'none' | 'undecided'

/**
 * Stores an operator's decision on a copy, which overrides passages and the publisher's claim.
 * Throws CONFLICT if a skill would become its own original.
 */
export async function decideOriginal(
  ctx: OperatorContext,
  copy: string,
  decision: Decision,
  reason: string,
): Promise<{ copy: SkillRecord; original: SkillRecord | null }> {
  let original: SkillRecord | null = null
  const action = 'skill.original-decided'
  const skill = await moderateSkill(ctx, copy, action, reason, async (trx, skill, revision) => {
    original = typeof decision === 'string' ? null : await findNamedSkill(trx, decision.copyOf)
    if (original?.id === skill.id)
      fail('CONFLICT', 'A skill cannot be a copy of itself. Name another original.')
    if (original?.copyClaim?.by === 'operator' && original.copyClaim.copyOf === skill.id) {
      const message = `${addressOf(original)} is already decided to be the copy. Undo that decision first.`
      fail('CONFLICT', message)
    }
    const claim: CopyClaim | null =
      decision === 'undecided' ? null : { by: 'operator', copyOf: original?.id ?? null }
    await recordJudgedTexts(ctx, trx, skill, [skill.version])
    if (original) await recordJudgedTexts(ctx, trx, original, [original.version])
    await setCopyClaim(trx, skill.id, claim, { reason, revision })
  })
  return { copy: skill, original }
}

const hiddenBy = ({ clock }: OperatorContext, stateReason: string) =>
  ({ state: 'hidden', stateBy: 'operator', stateReason, at: clock.now() }) as const

/** Removes an agent's feedback and vote. Returns the number of entries. Throws NOT_FOUND. */
export const removeFeedback = async (
  ctx: OperatorContext,
  name: string,
  username: string,
  reason: string,
) =>
  ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const skill = await findNamedSkill(trx, name)
    const agent = await findNamedAgent(trx, username)
    const key = { skillId: skill.id, agentId: agent.id }
    const entries = await deleteJudgements(trx, 'feedback', key)
    const votes = await deleteJudgements(trx, 'votes', key)
    if (entries + votes === 0) {
      fail('NOT_FOUND', `${agent.username} has given no feedback on ${addressOf(skill)}.`)
    }
    const counted = { skillId: skill.id, repositoryId: skill.repository.id, revision }
    await recountSkill(trx, counted)
    await notify(ctx, trx, agent.id, { action: 'feedback.removed', skill, reason })
    const note = `${addressOf(skill)}: ${reason}`
    await recordByOperator(ctx, trx, 'feedback.removed', { kind: 'agent', id: agent.id }, note)
    return { skillId: skill.id, address: addressOf(skill), agent: agent.username, entries }
  })
