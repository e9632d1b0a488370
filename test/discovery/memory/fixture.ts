import type { SkillFilter } from '@skillpass/server/discovery/find'
import type { SkillOrder } from '@skillpass/server/discovery/orders'
import type { RepositoryRecord } from '@skillpass/server/skills/store/repositories'
import type { SkillRecord } from '@skillpass/server/skills/store/skill-record'

/** An id made of a number: ids of near numbers lie far apart. */
export const idOf = (number: number): string => {
  const digits = (Math.imul(number + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
  return `${digits}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}

export function repository(number: number, counts: Partial<RepositoryRecord> = {}) {
  const owner = `Owner-${number % 3}`
  const id = idOf(1_000_000 + number)
  const name = `repo-${number}`
  return {
    id,
    agentId: idOf(2_000_000),
    owner,
    name,
    verifiedAs: null,
    starCount: 0,
    upstreamStars: 0,
    downloadCount: 0,
    ...counts,
  }
}

/** A skill of which only what matters is given. */
export function card(number: number, fields: Partial<SkillRecord> = {}): SkillRecord {
  return {
    id: idOf(number),
    slug: `skill-${number}`,
    name: `Skill ${number}`,
    description: 'Does something',
    indexedDescription: null,
    tags: [],
    version: 1,
    digest: `sha256:${number}`,
    starCount: 0,
    fetchCount: 0,
    networkFetchCount: 0,
    feedbackCount: 0,
    helpfulCount: 0,
    helpfulWeight: 0,
    unhelpfulWeight: 0,
    copyWord: null,
    ...{ state: 'visible', stateBy: null, stateReason: null },
    createdAt: 1000,
    updatedAt: 1000,
    revision: 1,
    verdict: 'clean',
    warnings: [],
    repository: repository(0),
    owner: { id: idOf(2_000_000), username: 'author', displayName: null, verifiedAs: null },
    ...fields,
  }
}

type Order = (a: SkillRecord, b: SkillRecord) => number

const byStars: Order = (a, b) =>
  b.repository.starCount - a.repository.starCount ||
  b.starCount - a.starCount ||
  (a.id < b.id ? -1 : 1)

/** The orders in the words of the specification. */
export const orders: Record<SkillOrder, Order> = {
  stars: byStars,
  downloads: (a, b) =>
    b.repository.downloadCount - a.repository.downloadCount ||
    b.fetchCount - a.fetchCount ||
    (a.id < b.id ? -1 : 1),
  recent: (a, b) => b.updatedAt - a.updatedAt || byStars(a, b),
  trending: (a, b) => b.starCount - a.starCount || byStars(a, b),
}

/** Whether a skill passes a filter, in the words of the specification. */
export const passes =
  ({ tags, owner, repo }: SkillFilter) =>
  (skill: SkillRecord): boolean => {
    const has = skill.tags.map((tag) => tag.toLowerCase())
    return (
      tags.every((tag) => has.includes(tag.toLowerCase())) &&
      (owner === undefined || skill.repository.owner.toLowerCase() === owner.toLowerCase()) &&
      (repo === undefined || skill.repository.name.toLowerCase() === repo.toLowerCase())
    )
  }
