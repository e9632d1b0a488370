import type { Operating } from '../audit/operator.ts'
import { fail } from '../errors/failure.ts'
import type { CopyWord, SkillRecord } from '../skills/store/skill-record.ts'
import { deleteSkill, setCopyWord } from '../skills/store/skills.ts'
import { recountRepository } from '../trust/store/counts.ts'
import { deleteStarsOfSkill } from '../trust/store/stars.ts'
import { findNamedSkill, moderateSkill } from './act.ts'
import { noteTexts } from './known-texts.ts'
import { addressOf } from './notices.ts'
import { keepAnswer, setState, showSkills } from './store/states.ts'

/**
 * What the operator does to skills, which are named by id or by `owner/repo/slug`. Each throws NOT_FOUND.
 * Servers that run follow within a second.
 */

/** Hides a skill from every reader; it keeps its stars, votes and versions. */
export const hideSkill = (ctx: Operating, name: string, reason: string): Promise<SkillRecord> =>
  moderateSkill(ctx, name, 'skill.hidden', reason, async (trx, skill, revision) => {
    await noteTexts(ctx, trx, skill, [skill.version])
    await setState(trx, skill.id, hiddenBy(ctx, reason), revision)
    await recountRepository(trx, skill.repository.id)
  })

/** Brings a hidden skill back as it was. Throws CONFLICT if it is not hidden. */
export const showSkill = (ctx: Operating, name: string, reason: string): Promise<SkillRecord> =>
  moderateSkill(ctx, name, 'skill.shown', reason, async (trx, skill, revision) => {
    if (skill.state !== 'hidden') fail('CONFLICT', `${addressOf(skill)} is not hidden.`)
    await showSkills(trx, { id: skill.id }, revision)
    await recountRepository(trx, skill.repository.id)
  })

/** Deletes a skill for good; nobody publishes at its address again, or its text elsewhere. */
export const removeSkill = (ctx: Operating, name: string, reason: string): Promise<SkillRecord> =>
  moderateSkill(ctx, name, 'skill.deleted', reason, async (trx, skill, revision) => {
    await noteTexts(ctx, trx, skill, [skill.version])
    await setState(trx, skill.id, hiddenBy(ctx, reason), revision)
    await deleteSkill(trx, skill.id, ctx.clock.now(), revision)
    await deleteStarsOfSkill(trx, skill.id)
    await recountRepository(trx, skill.repository.id)
  })

/** Lets the current version of a skill into resolve, whatever was found in it. */
export const releaseSkill = (ctx: Operating, name: string, reason: string): Promise<SkillRecord> =>
  decide(ctx, name, 'released', reason)

/**
 * Keeps a skill out of resolve as long as a rule names its current version, whatever its publisher answers
 * or changes, until it is released.
 */
export const holdSkill = (ctx: Operating, name: string, reason: string): Promise<SkillRecord> =>
  decide(ctx, name, 'held', reason)

const decide = (ctx: Operating, name: string, decision: 'released' | 'held', text: string) =>
  moderateSkill(
    ctx,
    name,
    `skill.${decision}`,
    text,
    async (trx, { id, owner, state: before, version }, revision) => {
      const at = ctx.clock.now()
      await noteTexts(ctx, trx, { id, owner }, [version])
      await keepAnswer(trx, id, { answeredBy: 'operator', decision, text, createdAt: at })
      const state = decision === 'held' ? 'held' : 'visible'
      if (before === 'hidden') return
      await setState(trx, id, { state, stateBy: 'operator', stateReason: text, at }, revision)
    },
    ({ version }) => `version ${version}: ${text}`,
  )

/** What an operator decides of a skill: what it is a copy of, that it is none, or nothing any more. */
export type Decision = { copyOf: string } | 'none' | 'undecided'

/**
 * Keeps an operator's decision on a copy, over what its passages and its publisher say. Throws CONFLICT if
 * a skill would be its own original.
 */
export async function decideOriginal(
  ctx: Operating,
  copy: string,
  decision: Decision,
  reason: string,
): Promise<{ copy: SkillRecord; original: SkillRecord | null }> {
  let original: SkillRecord | null = null
  const action = 'skill.original-decided'
  const skill = await moderateSkill(ctx, copy, action, reason, async (trx, skill, revision) => {
    original = typeof decision === 'string' ? null : await findNamedSkill(trx, decision.copyOf)
    if (original?.id === skill.id) fail('CONFLICT', 'A skill is no copy of itself.')
    if (original?.copyWord?.by === 'operator' && original.copyWord.copyOf === skill.id) {
      const message = `${addressOf(original)} is decided to be the copy: take that back first.`
      fail('CONFLICT', message)
    }
    const word: CopyWord | null =
      decision === 'undecided' ? null : { by: 'operator', copyOf: original?.id ?? null }
    await noteTexts(ctx, trx, skill, [skill.version])
    if (original) await noteTexts(ctx, trx, original, [original.version])
    await setCopyWord(trx, skill.id, word, { reason, revision })
  })
  return { copy: skill, original }
}

const hiddenBy = ({ clock }: Operating, stateReason: string) =>
  ({ state: 'hidden', stateBy: 'operator', stateReason, at: clock.now() }) as const
