import semver from 'semver'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { failMissingSkill, isPublisher } from '../catalogue/require-skill.ts'
import { asSentence, fail } from '../errors/failure.ts'
import { listDistTags } from '../store/registry/dist-tags.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import {
  findVersion,
  findVersions,
  isApproved,
  isOffered,
  type VersionRecord,
} from '../store/registry/versions.ts'

/** Selects a version of a skill by number, digest, both or neither (the current one). */
export interface VersionQuery {
  readonly version?: number | undefined
  /** A label, range, dist-tag or number in place of the number. */
  readonly at?: string | undefined
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
  { version, at, digest, allow_withdrawn }: VersionQuery,
): Promise<VersionRecord> {
  const named = at === undefined ? version : await numberAt(ctx, { id, version: current }, at)
  const number = named ?? (digest === undefined ? current : undefined)
  const found = await findVersion(ctx.db.read, id, { version: number, digest })
  if (!found) return number === 0 ? failMissingSkill(ctx, { id }) : failNoVersion()
  const { withdrawn } = found
  const isWithdrawn = withdrawn !== null && (withdrawn.security || at !== undefined)
  const isRefused = isWithdrawn && allow_withdrawn !== 'true'
  if (!isApproved(found) || isRefused) {
    if (await isPublisher(ctx, repository)) return found
    if (!isApproved(found)) failNoVersion()
    const remedy = 'Use another version. To get this one nevertheless, add allow_withdrawn=true.'
    const why = `${withdrawn?.security ? ' for security' : ''}: ${asSentence(withdrawn?.reason ?? '')}`
    fail('GONE', `Version ${found.version} is withdrawn${why} ${remedy}`)
  }
  return found
}

/** Returns the number of the version that a label, range, dist-tag or number names. */
async function numberAt(
  { db }: RegistryContext,
  { id, version: current }: Pick<SkillRecord, 'id' | 'version'>,
  at: string,
): Promise<number> {
  if (at === 'latest') return current
  if (/^\d{1,9}$/.test(at)) return Number(at)
  const tagged = (await listDistTags(db.read, id)).find(({ tag }) => tag === at)
  if (tagged) return tagged.version
  const labelled = (await findVersions(db.read, id)).filter(({ label }) => label !== null)
  const exact = labelled.find(({ label }) => label === at)
  if (exact) return exact.version
  const labels = labelled.filter(isOffered).flatMap(({ label }) => label ?? [])
  const best = semver.maxSatisfying(labels, at)
  return labelled.find(({ label }) => label === best)?.version ?? failNoVersion()
}

export function failNoVersion(): never {
  fail('NOT_FOUND', 'This skill has no such version.')
}
