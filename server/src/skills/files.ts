import type { RegistryContext } from '../discovery/context.ts'
import { fail } from '../errors/failure.ts'
import type { LintWarning } from '../moderation/lint/types.ts'
import type { FileEntry } from './bundles/entry.ts'
import { type Release, releaseOf } from './bundles/release.ts'
import { findMoved } from './moves.ts'
import type { RawSkillAddress } from './raw-skill.ts'
import { getVisibleSkill } from './skills.ts'
import type { SkillRecord } from './store/skill-record.ts'
import { findFindings } from './store/versions.ts'

export async function listFiles(ctx: RegistryContext, id: string, version: number | undefined) {
  const skill = await getVisibleSkill(ctx, id)
  const release = await releaseOf(ctx, skill, version)
  return {
    skill,
    release,
    archives: { tarGz: await release.archive('tarGz'), zip: await release.archive('zip') },
  }
}

/** Returns a version of the skill at an address, or the skill that has moved away from it. */
export async function findRelease(
  ctx: RegistryContext,
  address: RawSkillAddress,
  version: number | undefined,
): Promise<{ moved: SkillRecord } | { skill: SkillRecord; release: Release }> {
  const skill = ctx.catalogue.at(address.owner, address.repo, address.skill)
  if (!skill) return { moved: await findMoved(ctx, address) }
  return { skill, release: await releaseOf(ctx, skill, version) }
}

/** Returns a file of a version. Throws NOT_FOUND. */
export const fileOf = ({ files }: Release, path: string): FileEntry =>
  files.find((entry) => entry.path === path) ?? fail('NOT_FOUND', 'This version has no such file.')

export async function findingsOf(
  ctx: RegistryContext,
  of: { skillId: string; version: number; path: string },
): Promise<readonly LintWarning[]> {
  const findings = await findFindings(ctx.db.read, of.skillId, of.version)
  // Findings in the readme and in the skill's fields have no file.
  const file = of.path === 'SKILL.md' ? null : of.path
  return findings.filter((finding) => finding.file === file)
}
