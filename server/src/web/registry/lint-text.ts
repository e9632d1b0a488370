import type { rules } from '../../moderation/lint/rules.ts'
import { rulePath } from '../files/paths.ts'
import { blocks, inline } from '../ui/markdown-text.ts'

type LintRule = (typeof rules)[number]

const meanings = {
  warning: 'Warning: following the skill may cause harm.',
  notice: 'Notice: worth reading before use.',
  advice: 'Advice for the author; it does not affect the verdict.',
}

export const lintText = (rules: readonly LintRule[]): string =>
  blocks(
    '# Lint rules',
    'Every version is checked with all its files when it is published. The most serious finding determines the verdict: clean, notice or warning. Findings never block a publish, and a clean verdict is no guarantee. Read what you run.',
    ...rules.flatMap(({ id, level, explanation }) => [
      `## [\`${id}\`](${rulePath(id)})`,
      inline(explanation),
      meanings[level],
    ]),
  )

export const ruleText = ({ id, level, explanation, example, remedy }: LintRule): string =>
  blocks(
    `# ${id}`,
    inline(explanation),
    meanings[level],
    '## Example',
    fenced(example),
    '## What to do',
    inline(remedy),
    '[See all rules](/docs/lint)',
  )

/** A code block, fenced with more backticks than the code contains in a row. */
function fenced(code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${code.trimEnd()}\n${fence}`
}
