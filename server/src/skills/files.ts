import type { RegistryContext } from '../catalogue/catalogue.ts'
import { findUnlisted, getReadableSkill, type SkillAddress } from '../catalogue/require-skill.ts'
import { currentReadme, signaturesOf } from '../catalogue/text-caches.ts'
import { fail } from '../errors/failure.ts'
import { countLines } from '../lint/text.ts'
import type { Finding, SkillRecord } from '../store/registry/skill-record.ts'
import type { FileEntry } from './bundles/entries.ts'
import { type OpenVersion, openVersion } from './bundles/open-version.ts'
import { findMoved } from './moves.ts'
import { failNoVersion, readableVersion, type VersionQuery } from './readable-version.ts'

/** Returns the markdown at an address with signature and verdict, or the moved skill. */
export async function fetchRawSkill(ctx: RegistryContext, address: SkillAddress, by: VersionQuery) {
  const { owner, repo, skill: slug } = address
  const current = ctx.catalogue.at(owner, repo, slug) ?? (await findUnlisted(ctx, address))
  if (!current) return { moved: await findMoved(ctx, address) }
  const found = await readVersion(ctx, current, by)
  const signature = await signaturesOf(ctx, current)
  return { skillId: current.id, ...found, signature: signature(found.version) }
}

async function readVersion(ctx: RegistryContext, current: SkillRecord, by: VersionQuery) {
  const { version, digest, verdict, findings, deprecated } = current
  const isCurrent = (by.version ?? version) === version && (by.digest ?? digest) === digest
  if (!isCurrent || version === 0 || by.at !== undefined) {
    return readableVersion(ctx, current, by)
  }
  const readme = (await currentReadme(ctx, current)) ?? failNoVersion()
  return { version, digest, readme, verdict, findings, deprecated, withdrawn: null }
}

export async function listFiles(ctx: RegistryContext, id: string, by: VersionQuery) {
  const skill = await getReadableSkill(ctx, id)
  const version = await openVersion(ctx, skill, by)
  return {
    skill,
    version,
    archives: { tarGz: await version.archive('tarGz'), zip: await version.archive('zip') },
  }
}

/** Returns a version of the skill at an address, or the skill that has moved away from it. */
export async function openVersionAt(
  ctx: RegistryContext,
  address: SkillAddress,
  by: VersionQuery,
): Promise<{ moved: SkillRecord } | { skill: SkillRecord; version: OpenVersion }> {
  const { owner, repo, skill: slug } = address
  const skill = ctx.catalogue.at(owner, repo, slug) ?? (await findUnlisted(ctx, address))
  if (!skill) return { moved: await findMoved(ctx, address) }
  return { skill, version: await openVersion(ctx, skill, by) }
}

/** Returns a file of a version. Throws NOT_FOUND. */
export const fileOf = ({ files }: OpenVersion, path: string): FileEntry =>
  files.find((entry) => entry.path === path) ?? fail('NOT_FOUND', 'This version has no such file.')

/**
 * Returns the findings with the file that shows their line: SKILL.md for those in the readme. Null
 * for those in the skill's fields.
 */
export function placeFindings({ findings, markdown, readme }: OpenVersion): Finding[] {
  // Only frontmatter is added to a readme, above its lines.
  const added = countLines(markdown) - countLines(readme.text)
  return findings.map((finding) =>
    finding.file === null && finding.line !== null
      ? { ...finding, file: 'SKILL.md', line: Math.max(1, finding.line + added) }
      : finding,
  )
}
