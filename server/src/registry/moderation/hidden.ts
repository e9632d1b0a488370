import { isStorable } from '@skillpass/contract'
import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors/failure.ts'
import { findHiddenSkill, findHiddenSkillAt, findRemoval } from '../store/moderation.ts'
import type { RepositoryRecord } from '../store/repositories.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { findSkillBySlug } from '../store/skills.ts'

/** Where a skill was looked for. */
type Place = { id: string } | { owner: string; repo: string; skill: string }

/**
 * Ends a request for a skill that the catalogue does not have: with what stands for a hidden one, else
 * with NOT_FOUND. Its own publisher, whom `findReader` finds, is told the reason.
 */
export async function failMissing(
  ctx: Pick<Context, 'config' | 'db'>,
  place: Place,
  findReader: () => Promise<{ id: string } | undefined> = async () => undefined,
): Promise<never> {
  const { read } = ctx.db
  // Postgres takes no NUL in a text, not even to look for it.
  const hidden = Object.values(place).every(isStorable)
    ? await ('id' in place ? findHiddenSkill(read, place.id) : findHiddenSkillAt(read, place))
    : undefined
  if (hidden) {
    const reader = await findReader()
    failHidden(ctx, reader?.id === hidden.agentId ? hidden.reason : undefined)
  }
  if ('id' in place) failNoSkill()
  fail('NOT_FOUND', `There is no skill at ${place.owner}/${place.repo}/${place.skill}.`)
}

/** Ends a request for a skill whose id names none, whatever was to be done with it. */
export function failNoSkill(): never {
  fail('NOT_FOUND', 'There is no skill with this id.')
}

/** Ends a request that changes a hidden skill; its publisher is told the reason. */
export function refuseHidden(
  ctx: Pick<Context, 'config'>,
  skill: SkillRecord,
  agentId: string,
): void {
  if (skill.hiddenReason === undefined) return
  failHidden(ctx, skill.owner.id === agentId ? skill.hiddenReason : undefined)
}

function failHidden({ config }: Pick<Context, 'config'>, reason: string | undefined): never {
  const code = config.hiddenSkillStatus === '410' ? 'GONE' : 'UNAVAILABLE_FOR_LEGAL_REASONS'
  if (reason === undefined) fail(code)
  fail(code, `The operator of this registry has hidden this skill. Reason: ${reason}`)
}

type Repository = Pick<RepositoryRecord, 'id' | 'owner' | 'name'>

/** Throws CONFLICT, with the reason, for an address that a hidden skill of the caller has taken. */
export async function refuseHiddenAddress(
  trx: Db,
  { id, owner, name }: Repository,
  slug: string,
): Promise<void> {
  const reason = (await findSkillBySlug(trx, id, slug))?.hiddenReason
  if (reason === undefined) return
  fail('CONFLICT', `The operator has hidden your skill at ${owner}/${name}/${slug}: ${reason}`)
}

/** Throws CONFLICT for an address whose skill the operator has removed. */
export async function refuseRemovedAddress(
  trx: Db,
  { id, owner, name }: Repository,
  slug: string,
): Promise<void> {
  const reason = await findRemoval(trx, id, slug)
  if (reason === undefined) return
  fail('CONFLICT', `The operator has removed the skill at ${owner}/${name}/${slug}: ${reason}`)
}
