import { manifestText } from '@skillpass/contract'
import type { Db } from '../../db/open.ts'
import { digestOf } from '../../discovery/readmes.ts'
import { installableMarkdown } from '../frontmatter/complete.ts'
import { type FileRecord, findRelease, listFiles } from '../store/files.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import type { ReleaseText } from './entries.ts'

interface Changes {
  readonly readme?: string | undefined
  readonly slug?: string | undefined
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/**
 * Applies a change to a skill's current version. The version is new if the readme changes, if
 * `files` differ, or if a new slug changes the generated SKILL.md.
 */
export async function nextVersion(
  db: Db,
  skill: SkillRecord,
  changes: Changes,
  files: readonly FileRecord[] | undefined,
) {
  const current = await findRelease(db, skill.id, skill.version)
  if (!current) throw new Error(`version ${skill.version} of ${skill.id} is missing`)
  const currentFiles = current.fileCount === 0 ? [] : await listFiles(db, skill.id, skill.version)
  const text = {
    readme: changes.readme ?? current.readme,
    slug: changes.slug ?? skill.slug,
    description: (changes.description ?? skill.description) || (changes.name ?? skill.name),
  }
  const next = files ?? currentFiles
  const isNew =
    digestOf(text.readme) !== skill.digest ||
    manifestText(next) !== manifestText(currentFiles) ||
    (text.slug !== skill.slug && installed({ ...current, slug: text.slug }) !== installed(current))
  return { text, files: next, isNew }
}

const installed = (text: ReleaseText) => installableMarkdown({ ...text, name: text.slug })
