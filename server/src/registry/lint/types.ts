export type LintField = 'name' | 'slug' | 'description' | 'tags' | 'readme'

export interface LintWarning {
  rule: string
  message: string
  /** Line of the readme, from 1; null where the finding has none. */
  line: number | null
  field: LintField
}

export interface LintSkill {
  name: string
  slug: string
  description: string
  tags: readonly string[]
  readme: string
}

/** What a rule is called and, in one sentence, why it exists. */
export interface LintRule {
  id: string
  explanation: string
}

/** Notes one finding; `offset` is where it stands in the readme, in UTF-16 units. */
export type Report = (
  rule: string,
  field: LintField,
  message: string | (() => string),
  offset?: number,
) => void

export type Check = (skill: LintSkill, report: Report) => void
