import type { PlainText } from '../text/plain-text.ts'

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
  /** Line of the file or the readme, from 1; null where the finding has none. */
  line: number | null
  /** `readme` for the readme and every file beside it. */
  field: LintField
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
  /** Bytes. */
  readonly size: number
  readonly executable: boolean
}

/** A file beside the readme with what stands in it. */
export interface LintFile extends LintEntry {
  /** Null for a file that is no text. */
  readonly text: string | null
  /** The first bytes of a file that is no text. */
  readonly head?: Uint8Array
}

/** The text of a field or a file, for rules that look at all of them. */
export interface LintText extends PlainText {
  readonly field: LintField
  readonly original: string
  /** Whether all of it is code, which no page renders. */
  readonly isCode: boolean
}

/** What a rule is called, what its findings mean, and in one sentence why it exists. */
export interface LintRule {
  id: string
  level: LintLevel
  explanation: string
}

/** Rules of one level: for each, by its id, why it exists. */
export const rulesOf = (
  level: LintLevel,
  explanations: Readonly<Record<string, string>>,
): LintRule[] =>
  Object.entries(explanations).map(([id, explanation]) => ({ id, level, explanation }))

/** Notes one finding; `offset` is where it stands in the readme or file, in UTF-16 units. */
export type Report = (
  rule: string,
  field: LintField,
  message: string | (() => string),
  offset?: number | (() => number),
) => void

export type Check = (skill: LintSkill, report: Report) => void

/** Looks at one text; the place is one of `text.text`. */
export type TextCheck = (text: LintText, report: TextReport) => void
export type TextReport = (rule: string, message: string, at: number) => void

/** The beginning of a text in a message. */
export const quote = (text: string): string => JSON.stringify(text.slice(0, 64))
