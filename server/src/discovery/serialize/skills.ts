import type { SkillItem as Item } from '@skillpass/contract'
import type { z } from 'zod'
import { isoTime } from '../../runtime/time.ts'
import type { RepositoryRecord } from '../../skills/store/repositories.ts'
import type { SkillRecord } from '../../skills/store/skill-record.ts'
import { trustScore } from '../../trust/votes/trust.ts'
import type { RegistryContext } from '../context.ts'
import type { ResolvedSkills } from '../resolve.ts'
import type { FoundSkills } from '../search.ts'

type SkillItem = z.infer<typeof Item>

type Base = Pick<RegistryContext, 'config'>

/** The address of a skill. */
export function skillUrl({ config }: Base, { repository, slug }: SkillRecord): string {
  const path = [repository.owner, repository.name, slug].map(encodeURIComponent).join('/')
  return `${config.baseUrl}/${path}`
}

/** The address of a skill's markdown. */
export const fetchUrl = (ctx: Base, skill: SkillRecord): string =>
  `${skillUrl(ctx, skill)}?format=md`

/** What every answer tells of a repository. */
export const serializeRepository = (repository: RepositoryRecord) => ({
  id: repository.id,
  owner: repository.owner,
  name: repository.name,
  starCount: repository.starCount,
  importedStars: repository.upstreamStars,
  downloadCount: repository.downloadCount,
})

/** A skill as lists show it. */
export function serializeSkill(ctx: Base, skill: SkillRecord): SkillItem {
  const { repository, owner, verdict, warnings } = skill
  const verifiedAs = provenBy(skill)
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
    warnings: [...warnings],
  }
}

/**
 * What the owner of the address is proven to be. A domain stands for the agent's own repositories, not
 * for others that it may hold.
 */
const provenBy = ({ repository, owner }: SkillRecord): string | null => {
  const isOwn = repository.owner.toLowerCase() === owner.username
  return repository.verifiedAs ?? (isOwn ? owner.verifiedAs : null)
}

/** A skill as its near-copies name it. */
export const serializeOriginal = (ctx: Base, skill: SkillRecord | undefined) =>
  skill ? { id: skill.id, name: skill.name, fetchUrl: fetchUrl(ctx, skill) } : null

/** Share of helpful feedback; null while there is none. */
export const helpfulRate = (skill: SkillRecord): number | null =>
  skill.feedbackCount === 0 ? null : skill.helpfulCount / skill.feedbackCount

/** The numbers a skill is judged by. */
export function serializeTrust({ clock }: Pick<RegistryContext, 'clock'>, skill: SkillRecord) {
  return {
    helpfulRate: helpfulRate(skill),
    feedbackCount: skill.feedbackCount,
    trustScore: trustScore(skill, clock.now()),
  }
}

/** A page of skills. */
export const serializePage = (ctx: Base, { skills, ...page }: FoundSkills) => ({
  data: skills.map((skill) => serializeSkill(ctx, skill)),
  ...page,
})

/** The skills for a task, best first. */
export const serializeResolved = (ctx: Base, { data, ...answer }: ResolvedSkills) => ({
  data: data.map(({ skill: record, slot: _, original, explanation, ...numbers }) => {
    const skill = serializeSkill(ctx, record)
    const { fetchUrl } = skill
    return { skill, ...numbers, fetchUrl, explanation, copyOf: serializeOriginal(ctx, original) }
  }),
  ...answer,
})
