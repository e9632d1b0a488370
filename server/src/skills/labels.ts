import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { findVersions } from '../store/registry/versions.ts'
import { labelOf } from '../text/skill-file/label.ts'

/**
 * Returns the label of a new version: the given one, or that of the frontmatter if no other version
 * has it. Throws CONFLICT if the given one is taken.
 */
export async function chooseLabel(
  trx: Db,
  skill: SkillRecord | undefined,
  wanted: string | null | undefined,
  readme: string,
): Promise<string | null> {
  const label = wanted ?? labelOf(readme)
  if (label === null || !skill) return label
  const holder = (await findVersions(trx, skill.id)).find((version) => version.label === label)
  if (!holder) return label
  if (!wanted) return null
  return fail('CONFLICT', `Version ${holder.version} has the label ${label}. Choose another one.`)
}
