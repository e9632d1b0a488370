import type { RegistryContext } from '../catalogue/catalogue.ts'
import { getVisibleSkill, type SkillAddress } from '../catalogue/require-skill.ts'
import { currentReadme, signaturesOf } from '../catalogue/text-caches.ts'
import { fail } from '../errors/failure.ts'
import { countLines } from '../lint/text.ts'
import type { Finding, SkillRecord } from '../store/registry/skill-record.ts'
import { findVersion } from '../store/registry/versions.ts'
import type { FileEntry } from './bundles/entries.ts'
import { type OpenVersion, openVersion } from './bundles/open-version.ts'
import { findMoved } from './moves.ts'

/** Selects a version by number, digest, both or neither (the current one). */
type VersionQuery = Parameters<typeof findVersion>[2]

/** Returns the markdown at an address with signature and verdict, or the moved skill. */
export async function fetchRawSkill(ctx: RegistryContext, address: SkillAddress, by: VersionQuery) {
  const { owner, repo, skill: slug } = address
  const current = ctx.catalogue.at(owner, repo, slug)
  if (!current) return { moved: await findMoved(ctx, address) }
  const found =
    (await readVersion(ctx, current, by)) ?? fail('NOT_FOUND', 'This skill has no such version.')
  const signature = await signaturesOf(ctx, current)
  return { skillId: current.id, ...found, signature: signature(found.version) }
}

async function readVersion(ctx: RegistryContext, current: SkillRecord, by: VersionQuery) {
  const { version, digest, verdict, findings } = current
  if ((by.version ?? version) !== version || (by.digest ?? digest) !== digest) {
    const found = await findVersion(ctx.db.read, current.id, by)
    return found
  }
  const readme = await currentReadme(ctx, current)
  return readme === undefined ? undefined : { version, digest, readme, verdict, findings }
}

export async function listFiles(ctx: RegistryContext, id: string, number: number | undefined) {
  const skill = await getVisibleSkill(ctx, id)
  const version = await openVersion(ctx, skill, number)
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
  number: number | undefined,
): Promise<{ moved: SkillRecord } | { skill: SkillRecord; version: OpenVersion }> {
  const skill = ctx.catalogue.at(address.owner, address.repo, address.skill)
  if (!skill) return { moved: await findMoved(ctx, address) }
  return { skill, version: await openVersion(ctx, skill, number) }
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
