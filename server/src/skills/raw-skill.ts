import type { RegistryContext } from '../discovery/context.ts'
import { currentReadme } from '../discovery/readmes.ts'
import { signaturesOf } from '../discovery/signatures.ts'
import { fail } from '../errors/failure.ts'
import { findMoved } from './moves.ts'
import type { SkillRecord } from './store/skill-record.ts'
import { findVersion } from './store/versions.ts'

export interface RawSkillAddress {
  owner: string
  repo: string
  skill: string
}

/** Selects a version by number, digest, both or neither (the current one). */
interface VersionQuery {
  version?: number | undefined
  digest?: string | undefined
}

/** Returns the markdown at an address with signature and verdict, or the moved skill. */
export async function fetchRawSkill(
  ctx: RegistryContext,
  address: RawSkillAddress,
  by: VersionQuery,
) {
  const { owner, repo, skill: slug } = address
  const current = ctx.catalogue.at(owner, repo, slug)
  if (!current) return { moved: await findMoved(ctx, address) }
  const found =
    (await readVersion(ctx, current, by)) ?? fail('NOT_FOUND', 'This skill has no such version.')
  const signature = await signaturesOf(ctx, current)
  return { skillId: current.id, ...found, signature: signature(found.version) }
}

async function readVersion(ctx: RegistryContext, current: SkillRecord, by: VersionQuery) {
  const { version, digest, verdict, warnings } = current
  if ((by.version ?? version) !== version || (by.digest ?? digest) !== digest) {
    const found = await findVersion(ctx.db.read, current.id, by)
    return found && { ...found, warnings: found.findings }
  }
  const readme = await currentReadme(ctx, current)
  return readme === undefined ? undefined : { version, digest, readme, verdict, warnings }
}
