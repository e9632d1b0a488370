import { bounds } from '@skillpass/contract'
import { withEachRule } from './findings.ts'
import { lintVersion } from './index.ts'
import type { LintLevel, LintWarning } from './types.ts'

/** How grave what the lint found is: nothing, something worth a look, or something that may harm. */
export type Verdict = 'clean' | 'notice' | 'warning'

/** A finding as every reader is shown it: its rule, and where it stands. */
export interface Finding {
  readonly rule: string
  /** Path of the file beside the readme, or null. */
  readonly file: string | null
  /** Line of the file or the readme, from 1, or null. */
  readonly line: number | null
}

/** What the lint says of one version of a skill to its readers. */
export interface Judgement {
  readonly verdict: Verdict
  /** Gravest first, one for each rule, file and line, without what is advice to the author alone. */
  readonly findings: readonly LintWarning[]
  readonly lintVersion: number
}

const gravity: Readonly<Record<LintLevel, Verdict>> = {
  advice: 'clean',
  notice: 'notice',
  warning: 'warning',
}

/** What readers are told of the warnings that an author gets. */
export function judgementOf(warnings: readonly LintWarning[]): Judgement {
  const seen = new Set<string>()
  const findings = warnings.filter(({ rule, file, line, level }) => {
    const place = `${rule} ${line} ${file}`
    if (level === 'advice' || seen.has(place)) return false
    seen.add(place)
    return true
  })
  return {
    verdict: gravity[findings[0]?.level ?? 'advice'],
    findings: withEachRule(findings, bounds.skillWarnings),
    lintVersion,
  }
}
