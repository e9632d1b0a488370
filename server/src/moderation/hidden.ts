import { isStorable } from '@skillpass/contract'
import type { Context } from '../context/context.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import { findRepositoryAt, type RepositoryRecord } from '../skills/store/repositories.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'
import { findSkill, findSkillBySlug } from '../skills/store/skills.ts'
import { findHiddenAt } from './store/states.ts'

/** Where a skill was looked for. */
type Place = { id: string } | { owner: string; repo: string; skill: string }

/**
 * Ends a request for a skill that the catalogue does not have: as hidden or with NOT_FOUND. A hidden
 * skill's own publisher, whom `findReader` finds, is told the reason.
 */
export async function failMissing(
  ctx: Pick<Context, 'db'>,
  place: Place,
  findReader: () => Promise<{ id: string } | undefined> = async () => undefined,
): Promise<never> {
  // Postgres refuses a NUL in a text, even to look for it.
  const skill = Object.values(place).every(isStorable)
    ? await findAt(ctx.db.read, place)
    : undefined
  if (skill?.state === 'hidden') refuseHidden(skill, (await findReader())?.id)
  if ('id' in place) failNoSkill()
  fail('NOT_FOUND', `There is no skill at ${place.owner}/${place.repo}/${place.skill}.`)
}

async function findAt(db: Db, place: Place): Promise<SkillRecord | undefined> {
  if ('id' in place) return findSkill(db, place.id)
  const repository = await findRepositoryAt(db, place.owner, place.repo)
  return repository && findSkillBySlug(db, repository.id, place.skill.toLowerCase())
}

/** Ends a request for a skill whose id names none, whatever was to be done with it. */
export function failNoSkill(): never {
  fail('NOT_FOUND', 'There is no skill with this id.')
}

/** Ends a request about a hidden skill; its publisher is told the reason. */
export function refuseHidden(
  { state, stateReason, owner }: SkillRecord,
  agentId: string | undefined,
): void {
  if (state !== 'hidden') return
  const code = 'UNAVAILABLE_FOR_LEGAL_REASONS'
  if (owner.id !== agentId) fail(code)
  fail(code, `The operator of this registry has hidden this skill. Reason: ${stateReason}`)
}

/** The skill, if it is the agent's and the operator does not hide it. Throws otherwise. */
export async function ownSkill(trx: Db, agent: { id: string }, id: string): Promise<SkillRecord> {
  const skill = await findSkill(trx, id)
  if (!skill) failNoSkill()
  refuseHidden(skill, agent.id)
  if (skill.owner.id !== agent.id) fail('FORBIDDEN', 'Only the owner of a skill may change it.')
  return skill
}

/** Throws CONFLICT, with the reason, for an address whose skill the operator hides or has removed. */
export async function refuseHiddenAddress(
  trx: Db,
  { id: repositoryId, owner, name }: RepositoryRecord,
  slug: string,
): Promise<void> {
  const out = await findHiddenAt(trx, { repositoryId, slug })
  if (!out) return
  const [done, whose] = out.deletedAt === null ? ['hidden', 'your'] : ['removed', 'the']
  const address = `${owner}/${name}/${slug}`
  fail('CONFLICT', `The operator has ${done} ${whose} skill at ${address}: ${out.stateReason}`)
}
