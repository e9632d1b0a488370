import type { SkillRecord } from '../store/registry/skill-record.ts'

export const semver = (version: number): string => `${version}.0.0`

export const fromSemver = (version: string): number => Number.parseInt(version, 10)

const ownerOf = ({ repository }: SkillRecord) => ({
  handle: repository.owner,
  displayName: repository.owner,
})

export const serializeVersion = (version: number, createdAt: number) => ({
  version: semver(version),
  createdAt,
  changelog: '',
})

export const serializeResult = (skill: SkillRecord, at: number) => ({
  slug: skill.slug,
  ownerHandle: skill.repository.owner,
  displayName: skill.name,
  summary: skill.description,
  version: semver(skill.version),
  score: 1 / (1 + at),
  updatedAt: skill.updatedAt,
  owner: ownerOf(skill),
})

export function serializeMeta(skill: SkillRecord) {
  const { slug, name, description, createdAt, updatedAt, starCount, version, verdict } = skill
  const isSuspicious = verdict === 'warning'
  return {
    skill: {
      slug,
      displayName: name,
      summary: description,
      tags: { latest: semver(version) },
      stats: { stars: starCount },
      createdAt,
      updatedAt,
    },
    latestVersion: serializeVersion(version, updatedAt),
    owner: ownerOf(skill),
    moderation: {
      isSuspicious,
      isMalwareBlocked: false as const,
      verdict: isSuspicious ? ('suspicious' as const) : ('clean' as const),
    },
  }
}
