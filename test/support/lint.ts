import {
  type LintFile,
  type LintSkill,
  lintResultOf,
} from '@skillpass/server/internal/lint/findings'
import { lintInSteps } from '@skillpass/server/internal/lint/index'

export { rules } from '@skillpass/server/internal/lint/rules'
export type { LintFile }

/** Lints a skill with its files in one step. */
export function lintSkill(skill: LintSkill, files: readonly LintFile[] = []) {
  const lint = lintInSteps(skill, files)
  for (const steps of [lint.readme(), ...files.map((file) => lint.file(file))])
    for (const _ of steps);
  return lint.findings()
}

/** Lints a skill. Returns the verdict and the findings that readers see. */
export const lintForReaders = (...skill: Parameters<typeof lintSkill>) =>
  lintResultOf(lintSkill(...skill))
