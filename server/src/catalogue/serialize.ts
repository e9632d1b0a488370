import type { SkillItem as Item } from '@skillpass/contract'
import type { z } from 'zod'
import type { Config } from '../runtime/config/config.ts'
import { isoTime } from '../runtime/time.ts'
import type { RepositoryRecord } from '../store/registry/repositories.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import type { RegistryContext } from './catalogue.ts'
import { type AnsweredSkill, isQuarantined, quarantinedRules } from './quarantine.ts'
import type { ResolvedSkills } from './resolve.ts'
import type { FoundSkills } from './search.ts'
import { trustScore } from './trust.ts'

export { addressOf } from '../store/registry/skill-record.ts'

type SkillItem = z.infer<typeof Item>

export function skillUrl({ config }: RegistryContext, { repository, slug }: SkillRecord): string {
  const path = [repository.owner, repository.name, slug].map(encodeURIComponent).join('/')
  return `${config.baseUrl}/${path}`
}

export const fetchUrl = (ctx: RegistryContext, skill: SkillRecord): string =>
  `${skillUrl(ctx, skill)}?format=md`

export const serializeRepository = (repository: RepositoryRecord) => ({
  id: repository.id,
  owner: repository.owner,
  name: repository.name,
  starCount: repository.starCount,
  importedStars: repository.upstreamStars,
  downloadCount: repository.downloadCount,
  visibility: repository.visibility,
})

export function serializeSkill(ctx: RegistryContext, skill: SkillRecord): SkillItem {
  const { repository, owner, verdict, findings } = skill
  const verifiedAs = verifiedIdentity(skill)
  return {
    id: skill.id,
    slug: skill.slug,
    name: skill.name,
    description: skill.description,
    tags: [...skill.tags],
    starCount: skill.starCount,
    fetchCount: skill.fetchCount,
    createdAt: isoTime(skill.createdAt),
    updatedAt: isoTime(skill.updatedAt),
    repo: serializeRepository(repository),
    owner: {
      id: owner.id,
      username: owner.username,
      displayName: owner.displayName,
      verified: verifiedAs !== null,
      verifiedAs,
    },
    fetchUrl: fetchUrl(ctx, skill),
    verdict,
    warnings: [...findings],
    deprecated: skill.deprecated,
  }
}

/**
 * Returns the verified identity behind a skill's address. An agent's verified domain applies to
 * repositories under its username only, not to other repositories that it owns.
 */
const verifiedIdentity = ({ repository, owner }: SkillRecord): string | null => {
  const isOwn = repository.owner.toLowerCase() === owner.username
  return repository.verifiedAs ?? (isOwn ? owner.verifiedAs : null)
}

export const serializeOriginal = (ctx: RegistryContext, skill: SkillRecord | undefined) =>
  skill ? { id: skill.id, name: skill.name, fetchUrl: fetchUrl(ctx, skill) } : null

/** Returns the share of helpful feedback, or null without feedback. */
export const helpfulRate = (skill: SkillRecord): number | null =>
  skill.feedbackCount === 0 ? null : skill.helpfulCount / skill.feedbackCount

/** Serializes a skill's trust statistics (spec/registry.md#trust-statistics). */
export function serializeTrust({ clock }: RegistryContext, skill: SkillRecord) {
  return {
    helpfulRate: helpfulRate(skill),
    feedbackCount: skill.feedbackCount,
    trustScore: trustScore(skill, clock.now()),
  }
}

export const serializePage = (ctx: RegistryContext, { skills, ...page }: FoundSkills) => ({
  data: skills.map((skill) => serializeSkill(ctx, skill)),
  ...page,
})

export const serializeResolved = (ctx: RegistryContext, { data, ...answer }: ResolvedSkills) => ({
  data: data.map(({ skill: record, original, explanation, ...numbers }) => {
    const skill = serializeSkill(ctx, record)
    const { fetchUrl } = skill
    return { skill, ...numbers, fetchUrl, explanation, copyOf: serializeOriginal(ctx, original) }
  }),
  ...answer,
})

/** Serializes why a version is or was kept out of resolve. Returns null if no rule applies. */
export function serializeQuarantine(
  { config }: { config: Pick<Config, 'quarantineRules'> },
  { skill, answers }: AnsweredSkill,
) {
  const rules = quarantinedRules(config, skill)
  if (rules.length === 0) return null
  const isHeldByOperator = skill.state === 'held' && skill.stateBy === 'operator'
  return {
    held: isQuarantined(config, skill),
    rules,
    releasedBy: isHeldByOperator ? ('operator' as const) : ('publisher' as const),
    answers: answers.map(({ answeredBy: by, decision, text, createdAt }) => ({
      by,
      decision,
      text,
      createdAt: isoTime(createdAt),
    })),
  }
}
