import { manifestText } from '@skillpass/contract'
import { digestOf } from '../catalogue/readmes.ts'
import { installableMarkdown } from '../frontmatter/complete.ts'
import { type FileRecord, findRelease, listFiles } from '../store/files.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import type { BundleContext } from './context.ts'
import type { ReleaseText } from './entries.ts'
import { findFiles, type NewFile, type PreparedFiles, prepareFiles } from './prepare.ts'

/** What of a change may make a new version. */
interface Changes {
  readonly readme?: string | undefined
  readonly slug?: string | undefined
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly files?: readonly NewFile[] | undefined
}

/** A version that a change would make of a skill, and of which version. */
export interface NextVersion extends PreparedFiles {
  readonly text: ReleaseText
  readonly isNew: boolean
  /** The files of the version after the change, whether it is a new one or not. */
  readonly allFiles: readonly FileRecord[]
  /** Whether the skill is still as it was when this was made ready. */
  fits(skill: SkillRecord): boolean
}

/**
 * Makes ready what a change makes of a skill's files. A new version comes of another readme, of other
 * files, and of another slug where SKILL.md has to say it.
 */
export async function nextVersion(
  ctx: BundleContext,
  skill: SkillRecord,
  changes: Changes,
): Promise<NextVersion> {
  const { version } = skill
  const [current, former] = await Promise.all([
    findRelease(ctx.db.read, skill.id, version),
    listFiles(ctx.db.read, skill.id, version),
  ])
  if (!current) throw new Error(`version ${version} of ${skill.id} is missing`)
  const text = {
    readme: changes.readme ?? current.readme,
    slug: changes.slug ?? skill.slug,
    description: (changes.description ?? skill.description) || (changes.name ?? skill.name),
  }
  const files = changes.files ? await findFiles(ctx, changes.files) : former
  const isNew =
    digestOf(text.readme) !== skill.digest ||
    manifestText(files) !== manifestText(former) ||
    (text.slug !== skill.slug && installed({ ...current, slug: text.slug }) !== installed(current))
  return {
    ...(await prepareFiles(ctx, text, isNew ? files : [])),
    text,
    isNew,
    allFiles: files,
    fits: (now) => basis.every((field) => now[field] === skill[field]),
  }
}

/** What of a skill a new version is made of, beside what its version holds. */
const basis = ['version', 'slug', 'name', 'description'] as const

const installed = (text: ReleaseText) => installableMarkdown({ ...text, name: text.slug })
