import { manifestText } from '@skillpass/contract'
import type { Db } from '../../db/open.ts'
import { digestOf } from '../../discovery/readmes.ts'
import { installableMarkdown } from '../frontmatter/complete.ts'
import { type FileRecord, findRelease, listFiles } from '../store/files.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import type { ReleaseText } from './entries.ts'

/** What of a change may make a new version. */
interface Changes {
  readonly readme?: string | undefined
  readonly slug?: string | undefined
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/** What a change makes of a skill's current version. */
export interface NextVersion {
  readonly text: ReleaseText
  /** The files beside the readme. */
  readonly files: readonly FileRecord[]
  readonly isNew: boolean
}

/**
 * What a change makes of a skill's current version. A new one comes of another readme, of other files
 * (`files`, where the change names some), and of another slug where SKILL.md has to say it.
 */
export async function nextVersion(
  db: Db,
  skill: SkillRecord,
  changes: Changes,
  files: readonly FileRecord[] | undefined,
): Promise<NextVersion> {
  const current = await findRelease(db, skill.id, skill.version)
  if (!current) throw new Error(`version ${skill.version} of ${skill.id} is missing`)
  const former = current.fileCount === 0 ? [] : await listFiles(db, skill.id, skill.version)
  const text = {
    readme: changes.readme ?? current.readme,
    slug: changes.slug ?? skill.slug,
    description: (changes.description ?? skill.description) || (changes.name ?? skill.name),
  }
  const next = files ?? former
  const isNew =
    digestOf(text.readme) !== skill.digest ||
    manifestText(next) !== manifestText(former) ||
    (text.slug !== skill.slug && installed({ ...current, slug: text.slug }) !== installed(current))
  return { text, files: next, isNew }
}

const installed = (text: ReleaseText) => installableMarkdown({ ...text, name: text.slug })
