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
