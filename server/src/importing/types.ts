import type { NewFile } from '../skills/bundles/prepare.ts'
import type { SkillFields } from '../skills/frontmatter/fields.ts'
import type { ImportWarning } from '../skills/frontmatter/skill-file.ts'

/** A file beside a SKILL.md, on the disk. */
export interface DiskFile extends NewFile {
  /** Where its bytes are, without symbolic links. */
  readonly real: string
}

/** A skill as the registry can store it: every bound of the API already holds. */
export interface ImportSkill extends SkillFields {
  owner: string
  repo: string
  slug: string
  /** What is stored and served, byte for byte as the author wrote it, frontmatter included. */
  readme: string
  license: string | null
  /** Where the skill stands in its repository. */
  path: string | null
  commit: string | null
  /** Stars that the repository brings along from where it came from. */
  stars: number
}

export interface ImportedSkill {
  kind: 'skill'
  /** `file`, or `file:line` for a line of a jsonl file. */
  source: string
  skill: ImportSkill
  /** What stands beside the readme; absent where the source tells of the readme alone. */
  files?: readonly DiskFile[]
  warnings: ImportWarning[]
}

export interface RefusedSkill extends Refusal {
  kind: 'refused'
  source: string
}

export type ImportItem = ImportedSkill | RefusedSkill

export interface ReadOptions {
  /** Owner of skills read from folders, before any git remote. */
  owner?: string | undefined
  /** Repository of skills read from folders, before any git remote. */
  repo?: string | undefined
  /** The importing agent: the owner where neither option nor git remote names one. */
  agent?: string
  /** Names that cannot be the first segment of an address, because a route stands there. */
  isReserved?: (owner: string) => boolean
}

/** A skill as a source tells it, before any bound is applied. */
export type RawSkill = Omit<ImportSkill, 'indexedDescription' | 'tags'> & {
  tags: readonly string[]
}

/** A skill that cannot be stored, and why. */
export interface Refusal {
  rule: string
  message: string
}
