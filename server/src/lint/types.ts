export type {
  Finding,
  Judgement,
  LintField,
  LintLevel,
  LintWarning,
  Verdict,
} from '../store/registry/skill-record.ts'

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
