import type { SkillDetail as Detail, SkillItem as Item } from '@skillpass/contract'
import type { z } from 'zod'
import type { CatalogueContext } from '../catalogue/context.ts'
import { type Finding, uncheckedRule, type Verdict } from '../lint/judge.ts'
import type { LintWarning } from '../lint/report/types.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { trustScore } from '../votes/trust.ts'
import { showAgain } from './shown-items.ts'

/** Records as the contract shows them. */

export type SkillItem = z.infer<typeof Item>
export type SkillDetail = z.infer<typeof Detail>

type Base = Pick<CatalogueContext, 'config'>

/** Times that were written lately: a list shows the same few again and again. */
const written = new Map<number, string>()
const mostWritten = 10_000

/** A time in ISO 8601, UTC. */
export function timestamp(time: number): string {
  const known = written.get(time)
  if (known !== undefined) return known
  if (written.size >= mostWritten) written.clear()
  const text = new Date(time).toISOString()
  written.set(time, text)
  return text
}

/** The address of a skill's markdown. */
export function fetchUrl({ config }: Base, skill: SkillRecord): string {
  const { owner, name } = skill.repository
  const path = [owner, name, skill.slug].map(encodeURIComponent).join('/')
  return `${config.baseUrl}/${path}?format=md`
}

/** What is shown of a version that has not been linted yet. */
export const unlinted: { verdict: Verdict; warnings: readonly Finding[] } = {
  verdict: uncheckedRule.level,
  warnings: [{ rule: uncheckedRule.id, line: null }],
}

const uncheckedWarning: LintWarning = {
  rule: uncheckedRule.id,
  level: uncheckedRule.level,
  message: uncheckedRule.explanation,
  line: null,
  field: 'readme',
}

/** What the lint says of a skill. */
export const verdictOf = ({ verdict, warnings }: SkillRecord) =>
  verdict === null ? unlinted : { verdict, warnings }

/** A skill as lists show it. */
export const skillItem = (ctx: Base, skill: SkillRecord): SkillItem =>
  showAgain(ctx.config, skill, () => makeItem(ctx, skill))

function makeItem(ctx: Base, skill: SkillRecord): SkillItem {
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
    createdAt: timestamp(skill.createdAt),
    updatedAt: timestamp(skill.updatedAt),
    repo: {
      id: repository.id,
      owner: repository.owner,
      name: repository.name,
      starCount: repository.starCount,
      importedStars: repository.upstreamStars,
      downloadCount: repository.downloadCount,
    },
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

/** A skill as another one names it. */
export const skillReference = (ctx: Base, skill: SkillRecord) => ({
  id: skill.id,
  name: skill.name,
  fetchUrl: fetchUrl(ctx, skill),
})

/** The skill that another one is a near-copy of, as that names it. */
export function copyOf(ctx: Base & Pick<CatalogueContext, 'catalogue'>, id: string) {
  const original = ctx.catalogue.originalOf(id)
  return original ? skillReference(ctx, original) : null
}

/** Share of helpful feedback; null while there is none. */
export const helpfulRate = (skill: SkillRecord): number | null =>
  skill.feedbackCount === 0 ? null : skill.helpfulCount / skill.feedbackCount

/** The numbers a skill is judged by. */
export function trustNumbers({ clock }: Pick<CatalogueContext, 'clock'>, skill: SkillRecord) {
  return {
    helpfulRate: helpfulRate(skill),
    feedbackCount: skill.feedbackCount,
    trustScore: trustScore(skill, clock.now()),
  }
}

/** A skill in full; `findings` are its warnings with their messages. */
export function skillDetail(
  ctx: Base & Pick<CatalogueContext, 'catalogue' | 'clock'>,
  skill: SkillRecord,
  {
    findings,
    ...text
  }: Pick<SkillDetail, 'readme' | 'signature'> & { findings: readonly LintWarning[] },
): SkillDetail {
  return {
    ...skillItem(ctx, skill),
    warnings: skill.verdict === null ? [uncheckedWarning] : [...findings],
    ...text,
    version: skill.version,
    digest: skill.digest,
    copyOf: copyOf(ctx, skill.id),
    ...trustNumbers(ctx, skill),
  }
}
