import type { LintLevel, LintRule, LintWarning, Report } from './types.ts'

export const maxWarnings = 50
export const maxWarningsPerRule = 5
/** Findings of one kind in one text after which a check may stop looking. */
export const enoughFindings = 1000

const gravity: Readonly<Record<LintLevel, number>> = { advice: 0, notice: 1, warning: 2 }

interface Kept {
  warning: LintWarning
  offset: number | null
}

/**
 * Collects findings: per rule the first five are kept and the rest counted, so that a hostile text
 * with a hundred thousand findings costs no hundred thousand messages.
 */
export function collector(
  readme: string,
  rules: readonly LintRule[],
): { report: Report; warnings: () => LintWarning[] } {
  const levels = new Map(rules.map(({ id, level }) => [id, level]))
  const kept = new Map<string, Kept[]>()
  const counts = new Map<string, number>()
  const report: Report = (rule, field, message, offset) => {
    const count = (counts.get(rule) ?? 0) + 1
    counts.set(rule, count)
    if (count > maxWarningsPerRule) return
    const text = typeof message === 'string' ? message : message()
    const level = levels.get(rule) ?? 'notice'
    const warning: LintWarning = { rule, level, message: text, line: null, field }
    const list = kept.get(rule) ?? []
    list.push({ warning, offset: typeof offset === 'function' ? offset() : (offset ?? null) })
    kept.set(rule, list)
  }
  return { report, warnings }

  function warnings(): LintWarning[] {
    const all = [...kept.values()].flat()
    numberLines(readme, all)
    for (const [rule, list] of kept) {
      const more = (counts.get(rule) ?? 0) - list.length
      const last = list.at(-1)
      if (more > 0 && last) last.warning.message += ` (and ${howMany(more)} more like this)`
    }
    const warnings = all.map(({ warning }) => warning)
    return warnings.sort((a, b) => gravity[b.level] - gravity[a.level]).slice(0, maxWarnings)
  }
}

function howMany(more: number): string {
  return more < enoughFindings - 2 * maxWarningsPerRule ? String(more) : 'hundreds'
}

/** One pass over the text for all findings; without findings in the readme none. */
function numberLines(readme: string, all: readonly Kept[]): void {
  const placed = all.filter(({ offset }) => offset !== null)
  placed.sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0))
  let line = 1
  let next = readme.indexOf('\n')
  for (const { warning, offset } of placed) {
    while (next >= 0 && next < (offset ?? 0)) {
      line += 1
      next = readme.indexOf('\n', next + 1)
    }
    warning.line = line
  }
}
