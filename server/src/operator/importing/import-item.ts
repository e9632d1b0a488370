import type { NewFile } from '../../skills/bundles/version-files.ts'
import type { ImportWarning, SkillFields } from '../../text/skill-file/fields.ts'

/** A file of a skill on disk, other than its SKILL.md. */
export interface DiskFile extends NewFile {
  /** Real path, without symbolic links. */
  readonly real: string
}

/** A skill within the limits of the API. */
export interface ImportSkill extends SkillFields {
  owner: string
  repo: string
  slug: string
  /** The SKILL.md as the author wrote it, including frontmatter. */
  readme: string
  license: string | null
  /** Web address of its source. */
  origin: string | null
  /** Stars of the repository on its original host. */
  stars: number
}

export interface ImportedSkill {
  kind: 'skill'
  /** `file`, or `file:line` in a JSONL file. */
  source: string
  skill: ImportSkill
  /** Files other than the readme. Undefined if the source has readmes only. */
  files?: readonly DiskFile[]
  warnings: ImportWarning[]
}

export interface RefusedSkill extends Refusal {
  kind: 'refused'
  source: string
}

export type ImportItem = ImportedSkill | RefusedSkill

export interface ReadOptions {
  /** Owner of skills from folders. Overrides the git remote. */
  owner?: string | undefined
  /** Repository of skills from folders. Overrides the git remote. */
  repo?: string | undefined
  /** The importing agent, which is the default owner. */
  agent?: string
  isReserved?: (owner: string) => boolean
}

/** A skill from a source, before normalization. */
export type RawSkill = Omit<ImportSkill, 'indexedDescription' | 'tags'> & {
  tags: readonly string[]
  /** Path of the SKILL.md in its repository, which distinguishes skills with equal slugs. */
  path: string | null
}

export interface Refusal {
  rule: string
  message: string
}
