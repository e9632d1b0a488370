import type { RegistryContext } from '../catalogue/catalogue.ts'
import { failMissingSkill, isPublisher } from '../catalogue/require-skill.ts'
import { fail } from '../errors/failure.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { findVersion, isApproved, type VersionRecord } from '../store/registry/versions.ts'

/** Selects a version of a skill by number, digest, both or neither (the current one). */
export interface VersionQuery {
  readonly version?: number | undefined
  readonly digest?: string | undefined
  /** Whether to return a version that is withdrawn for security. */
  readonly allow_withdrawn?: 'true' | 'false' | undefined
}

/**
 * Returns a version that the reader of the context may read. Throws NOT_FOUND, or GONE if it is
 * withdrawn for security. Publishers see every version.
 */
export async function readableVersion(
  ctx: RegistryContext,
  { id, version: current, repository }: Pick<SkillRecord, 'id' | 'version' | 'repository'>,
  { version, digest, allow_withdrawn }: VersionQuery,
): Promise<VersionRecord> {
  const number = version ?? (digest === undefined ? current : undefined)
  const found = await findVersion(ctx.db.read, id, { version: number, digest })
  if (!found) return number === 0 ? failMissingSkill(ctx, { id }) : failNoVersion()
  const isRefused = found.withdrawn?.security === true && allow_withdrawn !== 'true'
  if (!isApproved(found) || isRefused) {
    if (await isPublisher(ctx, repository)) return found
    if (!isApproved(found)) failNoVersion()
    const { reason } = found.withdrawn ?? { reason: '' }
    const remedy = 'Use another version. To get this one nevertheless, add allow_withdrawn=true.'
    fail('GONE', `Version ${found.version} is withdrawn for security: ${reason} ${remedy}`)
  }
  return found
}

export function failNoVersion(): never {
  fail('NOT_FOUND', 'This skill has no such version.')
}
