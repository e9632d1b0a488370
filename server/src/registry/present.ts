import type { SkillDetail as Detail, SkillItem as Item } from '@skillpass/contract'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { showAgain } from './shown-items.ts'
import type { SkillRecord } from './store/skills.ts'
import { trustScore } from './trust.ts'

/** Records as the contract shows them. */

export type SkillItem = z.infer<typeof Item>
export type SkillDetail = z.infer<typeof Detail>

type Base = Pick<Context, 'config'>

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

/** A skill as lists show it. */
export const skillItem = (ctx: Base, skill: SkillRecord): SkillItem =>
  showAgain(ctx.config, skill, () => makeItem(ctx, skill))

function makeItem(ctx: Base, skill: SkillRecord): SkillItem {
  const { repository, owner } = skill
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
      downloadCount: repository.downloadCount,
    },
    owner: { id: owner.id, username: owner.username, displayName: owner.displayName },
    fetchUrl: fetchUrl(ctx, skill),
  }
}

/** A skill as another one names it. */
export const skillReference = (ctx: Base, skill: SkillRecord) => ({
  id: skill.id,
  name: skill.name,
  fetchUrl: fetchUrl(ctx, skill),
})

/** Share of helpful feedback; null while there is none. */
export const helpfulRate = (skill: SkillRecord): number | null =>
  skill.feedbackCount === 0 ? null : skill.helpfulCount / skill.feedbackCount

/** The numbers a skill is judged by. */
export function trustNumbers({ clock }: Pick<Context, 'clock'>, skill: SkillRecord) {
  return {
    helpfulRate: helpfulRate(skill),
    feedbackCount: skill.feedbackCount,
    trustScore: trustScore(skill, clock.now()),
  }
}

/** A skill in full. */
export function skillDetail(
  ctx: Base & Pick<Context, 'clock'>,
  skill: SkillRecord,
  readme: string,
): SkillDetail {
  return {
    ...skillItem(ctx, skill),
    readme,
    version: skill.version,
    digest: skill.digest,
    ...trustNumbers(ctx, skill),
  }
}
