export type LintField = 'name' | 'slug' | 'description' | 'tags' | 'readme'

/**
 * Severity of a finding. `advice` concerns only the author, a `notice` is worth attention, and a
 * `warning` may harm users of the skill.
 */
export type LintLevel = 'advice' | 'notice' | 'warning'

export interface LintWarning {
  rule: string
  level: LintLevel
  message: string
  /** Path of the file, or null for the readme and the skill's fields. */
  file: string | null
  /** Line number from 1, or null. */
  line: number | null
  /** `readme` for the readme and all other files. */
  field: LintField
}

/** The highest severity among the findings, or `clean`. */
export type Verdict = 'clean' | 'notice' | 'warning'

export type Finding = Readonly<Pick<LintWarning, 'rule' | 'file' | 'line'>>

/** The lint's public result for a version. */
export interface Judgement {
  readonly verdict: Verdict
  /** Most severe first, one per rule, file and line, without advice. */
  readonly findings: readonly LintWarning[]
  readonly lintVersion: number
}

export interface LintSkill {
  name: string
  slug: string
  description: string
  tags: readonly string[]
  readme: string
}

/** A file in the manifest other than the readme. */
export interface LintFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Reports a finding. `at` is its offset in the checked text, in UTF-16 units. */
export type Report = (rule: string, message: string, at?: number) => void

export const quote = (text: string): string => JSON.stringify(text.slice(0, 64))
