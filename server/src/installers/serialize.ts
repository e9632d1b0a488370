import { discoverySchema, type LegacySkillsIndex, type SkillsIndex } from '@skillpass/contract'
import type { z } from 'zod'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { skillUrl } from '../catalogue/serialize.ts'
import { archiveNames } from '../skills/bundles/archive.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { indexSize, type ScopeIndex } from './scope.ts'
import type { ServiceSkill } from './service-skills.ts'

type Index = z.infer<typeof SkillsIndex>
type LegacyIndex = z.infer<typeof LegacySkillsIndex>

export type IndexForm = 'agent-skills' | 'skills'

/** Installers of version 0.1.0 reject an index with `..` in a path. */
export function serializeIndex(
  ctx: RegistryContext,
  index: ScopeIndex,
  form: IndexForm,
): Index | LegacyIndex {
  const note = noteOf(ctx, index)
  const counts = { total: index.total, ...(note !== undefined && { note }) }
  if (form === 'skills') {
    const skills = index.skills
      .filter(({ paths }) => !paths.some((path) => path.includes('..')))
      .map(({ skill, description, paths }) => ({
        name: skill.slug,
        description,
        verdict: skill.verdict,
        files: [...paths],
      }))
    return { skills, ...counts }
  }
  const skills = index.skills.map(({ skill, version, description, digest, archive }) => ({
    name: skill.slug,
    type: archive ? ('archive' as const) : ('skill-md' as const),
    description,
    verdict: skill.verdict,
    url: `${filesPath(ctx, skill)}/${archive ? archiveNames[archive.kind] : 'SKILL.md'}?version=${version}`,
    digest: archive?.digest ?? digest,
  }))
  return { $schema: discoverySchema, skills, ...counts }
}

/** Returns the path of a skill's files below its address, which older installers append again. */
function filesPath(ctx: RegistryContext, skill: SkillRecord): string {
  const { pathname } = new URL(skillUrl(ctx, skill))
  return `${pathname}/.well-known/agent-skills/${skill.slug}`
}

/** Explains which skills the index omits and how to install them. */
function noteOf(
  { config }: RegistryContext,
  { scope, skills, total }: ScopeIndex,
): string | undefined {
  if (skills.length === total) return undefined
  const { owner, repo = 'REPO' } = scope
  return `${skills.length} of ${total} skills, most starred first. The index has at most ${indexSize} skills, each slug once, and only installable slugs. Install another skill by its address: npx skills add ${config.baseUrl}/${owner}/${repo}/SKILL`
}

export const serializeServiceIndex = (skills: readonly ServiceSkill[]): Index => ({
  $schema: discoverySchema,
  skills: skills.map(({ name, description, digest }) => ({
    name,
    type: 'skill-md',
    description,
    verdict: 'clean',
    url: `${name}/SKILL.md`,
    digest,
  })),
  total: skills.length,
})

/** Serializes the index of the service's own skills in version 0.1.0. */
export const serializeLegacyServiceIndex = (skills: readonly ServiceSkill[]): LegacyIndex => ({
  skills: skills.map(({ name, description }) => ({
    ...{ name, description },
    verdict: 'clean',
    files: ['SKILL.md'],
  })),
  total: skills.length,
})

/** Serializes a result of `npx skills find`. `source` is the URL of this registry. */
export const serializeFound = (ctx: RegistryContext, skill: SkillRecord) => {
  const id = skillUrl(ctx, skill)
  const { slug: name, description } = skill
  return { id, name, source: id.slice(0, id.lastIndexOf('/')), description }
}

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
