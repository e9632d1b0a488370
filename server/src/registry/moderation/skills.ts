import { currentOperator, type Operating } from '../../audit/operator.ts'
import { record } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors/failure.ts'
import * as moderation from '../store/moderation.ts'
import { findRepositoryAt, recountDownloads } from '../store/repositories.ts'
import { nextRevision } from '../store/revision.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { deleteSkill, findSkill, findSkillBySlug } from '../store/skills.ts'
import { deleteStarsOfSkill, recountStars } from '../store/stars.ts'
import { noteTexts } from './known-texts.ts'
import { addressOf, notify } from './notices.ts'

/** What the operator does to skills. Servers that run follow within a second. */

/** A skill that the operator has dealt with. */
export interface Moderated {
  readonly id: string
  readonly address: string
}

/** Hides a skill from every reader; it keeps its stars, votes and versions. Throws NOT_FOUND. */
export const hideSkill = (ctx: Operating, name: string, reason: string): Promise<Moderated> =>
  moderate(ctx, name, 'skill.hidden', reason, async (trx, skill, revision) => {
    await noteTexts(ctx, trx, skill, [skill.version])
    await moderation.hideSkill(trx, skill.id, { reason, now: ctx.clock.now(), revision })
    await recount(trx, skill)
  })

/** Brings a hidden skill back as it was. Throws NOT_FOUND, and CONFLICT where it is not hidden. */
export const showSkill = (ctx: Operating, name: string, reason: string): Promise<Moderated> =>
  moderate(ctx, name, 'skill.shown', reason, async (trx, skill, revision) => {
    if (skill.hiddenReason === undefined) fail('CONFLICT', `${addressOf(skill)} is not hidden.`)
    await moderation.showSkill(trx, skill.id, revision)
    await recount(trx, skill)
  })

/**
 * Deletes a skill for good; nobody publishes at its address again, or its text elsewhere. Throws
 * NOT_FOUND.
 */
export const removeSkill = (ctx: Operating, name: string, reason: string): Promise<Moderated> =>
  moderate(ctx, name, 'skill.deleted', reason, async (trx, skill, revision) => {
    const now = ctx.clock.now()
    const repositoryId = skill.repository.id
    await noteTexts(ctx, trx, skill, [skill.version])
    await moderation.removeAddress(trx, { repositoryId, slug: skill.slug, reason, now })
    await moderation.markRemoved(trx, skill.id, reason)
    await deleteSkill(trx, skill.id, now, revision)
    await deleteStarsOfSkill(trx, skill.id, repositoryId)
    await recountDownloads(trx, repositoryId)
  })

/** Finds a skill, does something to it, and tells its publisher and the audit log. */
async function moderate(
  ctx: Operating,
  name: string,
  action: 'skill.hidden' | 'skill.shown' | 'skill.deleted',
  reason: string,
  act: (trx: Db, skill: SkillRecord, revision: number) => Promise<void>,
): Promise<Moderated> {
  const skill = await ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const found = await findNamedSkill(trx, name)
    await act(trx, found, revision)
    await notify(ctx, trx, found.owner.id, { action, skill: found, reason })
    const whom = { kind: 'skill', id: found.id } as const
    await record(ctx, trx, { action, who: currentOperator(), whom, note: reason })
    return found
  })
  return { id: skill.id, address: addressOf(skill) }
}

/** The skill that an id or an address names, hidden or not. Throws NOT_FOUND. */
export async function findNamedSkill(trx: Db, name: string): Promise<SkillRecord> {
  const [owner, repo, slug, ...rest] = name.replace(/^\/+/, '').split('/')
  if (owner !== undefined && repo === undefined) {
    return (await findSkill(trx, owner.toLowerCase())) ?? notFound(name)
  }
  if (!owner || !repo || !slug || rest.length > 0) {
    fail('NOT_FOUND', `"${name}" is neither an id nor an address OWNER/REPO/SKILL.`)
  }
  const repository = await findRepositoryAt(trx, owner, repo)
  if (!repository) notFound(name)
  return (await findSkillBySlug(trx, repository.id, slug.toLowerCase())) ?? notFound(name)
}

function notFound(name: string): never {
  fail('NOT_FOUND', `There is no skill ${name}.`)
}

/** A repository's numbers are those of the skills that readers see. */
async function recount(trx: Db, { repository }: SkillRecord): Promise<void> {
  await recountStars(trx, repository.id)
  await recountDownloads(trx, repository.id)
}
