import type { SkillDetail as Detail, SkillItem as Item } from '@skillpass/contract'
import type { z } from 'zod'
import { isoTime } from '../../runtime/time.ts'
import type { RegistryContext } from '../catalogue/context.ts'
import { type Verdict, verdictOf } from '../lint/judge.ts'
import { uncheckedRule } from '../lint/rules.ts'
import type { LintWarning } from '../lint/types.ts'
import type { ResolvedSkills } from '../resolve.ts'
import type { FoundSkills } from '../search.ts'
import type { FullSkill, PublishedSkill, SkillVersion } from '../skills.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { trustScore } from '../votes/trust.ts'
import { serializeList } from './list.ts'
import { serializeQuarantine } from './quarantine.ts'
import { serializeRepository } from './repositories.ts'

type SkillItem = z.infer<typeof Item>
type SkillDetail = z.infer<typeof Detail>

type Base = Pick<RegistryContext, 'config'>

/** The address of a skill. */
export function skillUrl({ config }: Base, { repository, slug }: SkillRecord): string {
  const path = [repository.owner, repository.name, slug].map(encodeURIComponent).join('/')
  return `${config.baseUrl}/${path}`
}

/** The address of a skill's markdown. */
export const fetchUrl = (ctx: Base, skill: SkillRecord): string =>
  `${skillUrl(ctx, skill)}?format=md`

/** A skill as lists show it. */
export function serializeSkill(ctx: Base, skill: SkillRecord): SkillItem {
  const { repository, owner } = skill
  const { verdict, warnings } = verdictOf(skill)
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

/** What stands in the place of the warnings of a version that has not been linted. */
const uncheckedWarning: LintWarning = {
  rule: uncheckedRule.id,
  level: uncheckedRule.level,
  message: uncheckedRule.explanation,
  file: null,
  line: null,
  field: 'readme',
}

/** A skill in full. */
export const serializeDetail = (
  ctx: Base & Pick<RegistryContext, 'catalogue' | 'clock'>,
  { skill, findings, answers, ...text }: FullSkill,
): SkillDetail => ({
  ...serializeSkill(ctx, skill),
  warnings: skill.verdict === null ? [uncheckedWarning] : [...findings],
  ...text,
  version: skill.version,
  digest: skill.digest,
  quarantine: serializeQuarantine(ctx, { skill, answers }),
  copyOf: serializeOriginal(ctx, ctx.catalogue.originalOf(skill.id)),
  ...serializeTrust(ctx, skill),
})

/** A skill as its publisher gets it back, with all that the lint found. */
export const serializePublished = (
  ctx: Parameters<typeof serializeDetail>[0],
  { warnings, ...read }: PublishedSkill,
) => ({ data: serializeDetail(ctx, read), warnings })

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

/** Every version of a skill. */
export const serializeVersions = (versions: readonly SkillVersion[]) =>
  serializeList(
    versions.map(({ createdAt, verdict, signature, ...version }) => ({
      ...version,
      createdAt: isoTime(createdAt),
      verdict: verdict ?? (uncheckedRule.level satisfies Verdict),
      signature,
    })),
  )
