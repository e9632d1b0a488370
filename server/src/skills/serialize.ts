import type { SkillDetail as Detail } from '@skillpass/contract'
import type { z } from 'zod'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import {
  serializeOriginal,
  serializeQuarantine,
  serializeSkill,
  serializeTrust,
} from '../catalogue/serialize.ts'
import { serializeList } from '../http/handlers.ts'
import { isoTime } from '../runtime/time.ts'
import type { FullSkill, PublishedSkill, SkillVersion } from './skills.ts'

type SkillDetail = z.infer<typeof Detail>

export const serializeDetail = (
  ctx: Pick<RegistryContext, 'config' | 'catalogue' | 'clock'>,
  { skill, findings, answers, ...text }: FullSkill,
): SkillDetail => ({
  ...serializeSkill(ctx, skill),
  warnings: [...findings],
  ...text,
  version: skill.version,
  digest: skill.digest,
  quarantine: serializeQuarantine(ctx, { skill, answers }),
  copyOf: serializeOriginal(ctx, ctx.catalogue.originalOf(skill.id)),
  ...serializeTrust(ctx, skill),
})

/** Serializes a skill for its publisher, with all lint findings. */
export const serializePublished = (
  ctx: Parameters<typeof serializeDetail>[0],
  { warnings, ...read }: PublishedSkill,
) => ({ data: serializeDetail(ctx, read), warnings })

export const serializeVersions = (versions: readonly SkillVersion[]) =>
  serializeList(
    versions.map(({ createdAt, ...version }) => ({ ...version, createdAt: isoTime(createdAt) })),
  )
