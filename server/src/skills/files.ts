import type { RegistryContext } from '../discovery/context.ts'
import { fail } from '../errors/failure.ts'
import type { LintWarning } from '../moderation/lint/types.ts'
import { type ArchiveKind, archives } from './bundles/archive.ts'
import { type Release, releaseOf } from './bundles/release.ts'
import { findMoved } from './moves.ts'
import type { RawSkillAddress } from './raw-skill.ts'
import { shownSkill } from './skills.ts'
import type { SkillRecord } from './store/skill-record.ts'
import { findFindings } from './store/versions.ts'

/** The files of a version of a skill; of the current one where none is named. */
export async function listFiles(ctx: RegistryContext, id: string, version: number | undefined) {
  const skill = await shownSkill(ctx, id)
  const release = await releaseOf(ctx, skill, version)
  return {
    skill,
    release,
    archives: { tarGz: await release.archive('tarGz'), zip: await release.archive('zip') },
  }
}

/** A version of the skill at an address as a folder, or the skill that has left the address. */
async function findVersion(
  ctx: RegistryContext,
  address: RawSkillAddress,
  version: number | undefined,
): Promise<{ moved: SkillRecord } | { skill: SkillRecord; release: Release }> {
  const skill = ctx.catalogue.at(address.owner, address.repo, address.skill)
  if (!skill) return { moved: await findMoved(ctx, address) }
  return { skill, release: await releaseOf(ctx, skill, version) }
}

/** A file at an address, or the skill that has left the address. */
export async function findFile(
  ctx: RegistryContext,
  address: RawSkillAddress,
  { path, version }: { path: string; version: number | undefined },
) {
  const found = await findVersion(ctx, address, version)
  if ('moved' in found) return found
  const { skill, release } = found
  const file = release.files.find((entry) => entry.path === path)
  if (!file) fail('NOT_FOUND', 'This version has no such file.')
  return { skill, version: release.version, file }
}

/** An archive of a version at an address, or the skill that has left the address. */
export async function findArchive(
  ctx: RegistryContext,
  address: RawSkillAddress,
  { kind, version }: { kind: ArchiveKind; version: number | undefined },
) {
  const found = await findVersion(ctx, address, version)
  if ('moved' in found) return found
  const { skill, release } = found
  const archive = await release.archive(kind)
  return {
    skill,
    version: release.version,
    archive,
    open: () => archives[kind](release.files),
  }
}

/** Two versions of a skill at an address, each as a folder, or the skill that has left the address. */
export async function findVersions(
  ctx: RegistryContext,
  address: RawSkillAddress,
  { from, to }: { from: number | undefined; to: number | undefined },
) {
  const found = await findVersion(ctx, address, to)
  if ('moved' in found) return found
  const { skill, release: after } = found
  const before = await releaseOf(ctx, skill, from ?? Math.max(1, after.version - 1))
  return { skill, before, after }
}

/** What the lint found in a file of a version. */
export async function findingsOf(
  ctx: RegistryContext,
  of: { skillId: string; version: number; path: string },
): Promise<readonly LintWarning[]> {
  const findings = await findFindings(ctx.db.read, of.skillId, of.version)
  // Findings in the readme and the record name no file.
  const file = of.path === 'SKILL.md' ? null : of.path
  return findings.filter((finding) => finding.file === file)
}
