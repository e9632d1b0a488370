export type LintField = 'name' | 'slug' | 'description' | 'tags' | 'readme'

/**
 * What a finding means to a reader. `advice` is for the author alone; a `notice` is worth a look; a
 * `warning` may harm whoever follows the skill.
 */
export type LintLevel = 'advice' | 'notice' | 'warning'

export interface LintWarning {
  rule: string
  level: LintLevel
  message: string
  /** Path of the file beside the readme that it was found in; null for the readme and the record. */
  file: string | null
  /** Line of the file or the readme, from 1; null if the finding has none. */
  line: number | null
  /** `readme` for the readme and every file beside it. */
  field: LintField
}

/** How grave what the lint found is: nothing, something worth a look, or something that may harm. */
export type Verdict = 'clean' | 'notice' | 'warning'

/** A finding as every reader is shown it: its rule, and where it stands. */
export type Finding = Readonly<Pick<LintWarning, 'rule' | 'file' | 'line'>>

/** What the lint says of one version of a skill to its readers. */
export interface Judgement {
  readonly verdict: Verdict
  /** Gravest first, one for each rule, file and line, without what is advice to the author alone. */
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

/** A file beside the readme, as the manifest has it. */
export interface LintEntry {
  readonly path: string
  readonly executable: boolean
}

export interface LintFile extends LintEntry {
  /** Null for a file that is not text. */
  readonly text: string | null
  /** The first bytes of a file that is not text. */
  readonly head?: Uint8Array
}

/** Notes a finding; `at` is its place in the text that is looked at, in UTF-16 units. */
export type Report = (rule: string, message: string, at?: number) => void

/** The beginning of a text in a message. */
export const quote = (text: string): string => JSON.stringify(text.slice(0, 64))
