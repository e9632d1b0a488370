import { allowsRole, isStorable, registryErrors } from '@skillpass/contract'
import type { Db } from '../db/open.ts'
import { asSentence, fail } from '../errors/failure.ts'
import { askOperator } from '../runtime/config/config.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { findRole, type LimitedCaller, type MemberRole } from '../store/agents/members.ts'
import { findRepositoryAt, type RepositoryRecord } from '../store/registry/repositories.ts'
import { addressOf, type SkillRecord } from '../store/registry/skill-record.ts'
import { findSkill, findSkillBySlug } from '../store/registry/skills.ts'
import { findHiddenAt } from '../store/registry/states.ts'
import { findLastWithdrawal } from '../store/registry/versions.ts'
import type { RegistryContext } from './catalogue.ts'
import { failNoRole, requireRole } from './roles.ts'

export type SkillAddress = { owner: string; repo: string; skill: string }

type SkillReference = { id: string } | SkillAddress

/**
 * Throws the error for a skill that is not in the catalogue: UNAVAILABLE_FOR_LEGAL_REASONS with the
 * reason if it is hidden, otherwise NOT_FOUND.
 */
export async function failMissingSkill(
  ctx: RegistryContext,
  reference: SkillReference,
): Promise<never> {
  // Postgres refuses NUL in a text parameter.
  const skill = Object.values(reference).every(isStorable)
    ? await findAt(ctx.db.read, reference)
    : undefined
  if (skill && ctx.catalogue.mayRead(skill.repository)) refuseHidden(ctx, skill)
  if (skill && (await isUnlisted(ctx, skill))) {
    const { reason } = (await findLastWithdrawal(ctx.db.read, skill.id)) ?? {}
    const why = 'All versions of this skill are withdrawn. Reason of the last:'
    fail(
      'NOT_FOUND',
      reason === undefined ? 'No version is approved yet.' : `${why} ${asSentence(reason)}`,
    )
  }
  if ('id' in reference) failNoSkill()
  fail('NOT_FOUND', `There is no skill at ${reference.owner}/${reference.repo}/${reference.skill}.`)
}

/**
 * Returns a skill without a current version if the reader of the context may read one of its
 * versions: withdrawn ones by number or digest, and those that wait for approval as a publisher.
 */
export async function findUnlisted(
  ctx: RegistryContext,
  reference: SkillReference,
): Promise<SkillRecord | undefined> {
  if (!Object.values(reference).every(isStorable)) return undefined
  const skill = await findAt(ctx.db.read, reference)
  return skill && (await isUnlisted(ctx, skill)) ? skill : undefined
}

/** Whether the caller of the request may publish in a repository, and so sees every version. */
export async function isPublisher(
  { roleIn }: RegistryContext,
  repository: RepositoryRecord,
): Promise<boolean> {
  return mayPublish(await roleIn?.(repository))
}

const mayPublish = (role: MemberRole | undefined): boolean =>
  role !== undefined && allowsRole(role, 'publisher')

async function isUnlisted(ctx: RegistryContext, skill: SkillRecord): Promise<boolean> {
  if (skill.version > 0 || skill.state === 'hidden') return false
  const role = await ctx.roleIn?.(skill.repository)
  if (mayPublish(role)) return true
  if (role === undefined && skill.repository.visibility === 'private') return false
  return (await findLastWithdrawal(ctx.db.read, skill.id)) !== undefined
}

async function findAt(db: Db, reference: SkillReference): Promise<SkillRecord | undefined> {
  if ('id' in reference) return findSkill(db, reference.id)
  const repository = await findRepositoryAt(db, reference.owner, reference.repo)
  return repository && findSkillBySlug(db, repository.id, reference.skill.toLowerCase())
}

function failNoSkill(): never {
  fail('NOT_FOUND', 'There is no skill with this id.')
}

/** Throws if the skill is hidden, with the operator's reason. */
export function refuseHidden(
  { config }: OperatorContext,
  { state, stateReason }: SkillRecord,
): void {
  if (state !== 'hidden') return
  const code = 'UNAVAILABLE_FOR_LEGAL_REASONS'
  const remedy = `To object, ${askOperator(config.operator)}.`
  fail(code, `${registryErrors[code].message} Reason: ${asSentence(stateReason ?? '')} ${remedy}`)
}

/**
 * Returns a skill on which an agent acts. Throws if there is none that the agent may read, or if it
 * is hidden.
 */
export async function requireSkill(
  ctx: OperatorContext,
  trx: Db,
  agent: LimitedCaller,
  id: string,
) {
  const skill = (await findSkill(trx, id)) ?? failNoSkill()
  const { repository } = skill
  if (repository.visibility === 'private' && !(await findRole(trx, agent, repository)))
    failNoSkill()
  refuseHidden(ctx, skill)
  if (skill.version === 0) failNoSkill()
  return skill
}

/**
 * Returns a skill that an agent may change: its own, or one of an organization in which it
 * publishes. Throws if the skill is hidden or the agent may not change it. With `least`, every
 * member of the organization may see what its publishers see.
 */
export async function ownSkill(
  ctx: OperatorContext,
  trx: Db,
  agent: LimitedCaller,
  id: string,
  least: MemberRole = 'publisher',
) {
  const skill = (await findSkill(trx, id)) ?? failNoSkill()
  await requireRole(trx, agent, skill.repository, least, () => {
    if (skill.repository.visibility === 'private' || skill.version === 0) failNoSkill()
    refuseHidden(ctx, skill)
    const act = least === 'reader' ? 'see this' : 'change it'
    failNoRole(agent, `Only the publisher of a skill may ${act}.`)
  })
  refuseHidden(ctx, skill)
  return skill
}

/** Throws CONFLICT, with the reason, if the operator has hidden or removed the skill there. */
export async function refuseHiddenAddress(
  trx: Db,
  repository: RepositoryRecord,
  slug: string,
): Promise<void> {
  const hidden = await findHiddenAt(trx, { repositoryId: repository.id, slug })
  if (!hidden) return
  const [done, whose] = hidden.deletedAt === null ? ['hidden', 'your'] : ['removed', 'the']
  const address = addressOf({ repository, slug })
  fail('CONFLICT', `The operator has ${done} ${whose} skill at ${address}: ${hidden.stateReason}`)
}

/** Returns a skill of which a reader may read a version. Throws like `failMissingSkill`. */
export const getReadableSkill = async (ctx: RegistryContext, id: string): Promise<SkillRecord> =>
  ctx.catalogue.get(id) ?? (await findUnlisted(ctx, { id })) ?? failMissingSkill(ctx, { id })

/** Returns a skill that readers can see. Throws NOT_FOUND, or the error for a hidden skill. */
export const getVisibleSkill = async (ctx: RegistryContext, id: string): Promise<SkillRecord> =>
  ctx.catalogue.get(id) ?? failMissingSkill(ctx, { id })
