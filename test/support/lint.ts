import type { LintFile, LintSkill } from '@skillpass/server/internal/lint/findings'
import { lintInSteps } from '@skillpass/server/internal/lint/index'

/** Lints a skill with its files in one step. */
export function lintSkill(skill: LintSkill, files: readonly LintFile[] = []) {
  const lint = lintInSteps(skill, files)
  for (const steps of [lint.readme(), ...files.map((file) => lint.file(file))])
    for (const _ of steps);
  return lint.warnings()
}
