import type { SkillDetail as Detail } from '@skillpass/contract'
import type { z } from 'zod'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import {
  addressOf,
  serializeOriginal,
  serializeQuarantine,
  serializeSkill,
  serializeTrust,
  skillUrl,
} from '../catalogue/serialize.ts'
import { serializeList } from '../http/handlers.ts'
import { isoTime } from '../runtime/time.ts'
import type { Withdrawal } from '../store/registry/versions.ts'
import { archiveNames } from './bundles/archive.ts'
import type { listFiles } from './files.ts'
import type { FullSkill, PublishedSkill, SkillVersion } from './skills.ts'
import type { listWaiting } from './version-states.ts'

type SkillDetail = z.infer<typeof Detail>

export const serializeDetail = (
  ctx: RegistryContext,
  { skill, findings, answers, ...text }: FullSkill,
): SkillDetail => ({
  ...serializeSkill(ctx, skill),
  warnings: [...findings],
  ...text,
  version: skill.version,
  digest: skill.digest,
  label: skill.label,
  sourceCommit: skill.sourceCommit,
  approval: skill.waiting === undefined ? null : ('waiting' as const),
  quarantine: serializeQuarantine(ctx, { skill, answers }),
  copyOf: serializeOriginal(ctx, ctx.catalogue.originalOf(skill.id)),
  ...serializeTrust(ctx, skill),
})

/** Serializes a skill for its publisher, with all lint findings. */
export const serializePublished = (
  ctx: Parameters<typeof serializeDetail>[0],
  { allFindings, ...read }: PublishedSkill,
) => ({ data: serializeDetail(ctx, read), warnings: allFindings })

export const serializeVersions = (versions: readonly SkillVersion[]) =>
  serializeList(versions.map(serializeVersion))

export const serializeVersion = ({
  createdAt,
  withdrawn,
  publishedBy,
  ...version
}: SkillVersion) => ({
  ...version,
  createdAt: isoTime(createdAt),
  withdrawn: serializeWithdrawal(withdrawn),
})

/** Serializes a version that waits for approval. */
export const serializeWaiting = (
  ctx: RegistryContext,
  { skill, version, publisher, findings }: Awaited<ReturnType<typeof listWaiting>>[number],
) => {
  const { version: number } = version
  const below = skill.version > 0 ? `diff?from=${skill.version}&to=${number}` : `versions/${number}`
  return {
    skill: { id: skill.id, address: addressOf(skill) },
    version: serializeVersion(version),
    publishedBy: publisher,
    warnings: [...findings],
    url: `${skillUrl(ctx, skill)}/${below}`,
  }
}

export const serializeWithdrawal = (withdrawn: Withdrawal | null) =>
  withdrawn && { ...withdrawn, at: isoTime(withdrawn.at) }

export function serializeManifest(
  ctx: Parameters<typeof skillUrl>[0],
  { skill, version: opened, archives }: Awaited<ReturnType<typeof listFiles>>,
) {
  const { version, digest, withdrawn, deprecated } = opened
  const url = skillUrl(ctx, skill)
  const files = opened.files.map(({ path, digest, size, executable }) => ({
    path,
    digest,
    size,
    executable,
    url: `${url}${filePath(path)}?version=${version}`,
  }))
  return {
    version,
    withdrawn: serializeWithdrawal(withdrawn),
    deprecated,
    digest,
    size: files.reduce((sum, { size }) => sum + size, 0),
    files,
    archives: {
      tarGz: { url: `${url}/${archiveNames.tarGz}?version=${version}`, ...archives.tarGz },
      zip: { url: `${url}/${archiveNames.zip}?version=${version}`, ...archives.zip },
    },
  }
}

export const filePath = (path: string): string => `/files/${encodedPath(path)}`

/** Percent-encodes a path but keeps its slashes. */
export const encodedPath = (path: string): string =>
  path.split('/').map(encodeURIComponent).join('/')
