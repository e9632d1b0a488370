import type { LintLevel, LintRule, LintWarning, Report } from './types.ts'

export const maxWarnings = 50
export const maxWarningsPerRule = 5
/** Findings of one kind in one text after which a check may stop looking. */
export const enoughFindings = 1000

const gravity: Readonly<Record<LintLevel, number>> = { advice: 0, notice: 1, warning: 2 }

interface Kept {
  readonly warning: LintWarning
  readonly offset: number
}

/** What was found in the text of a file or a readme, wherever that stands. */
export interface FoundInText {
  readonly warnings: readonly LintWarning[]
  /** How many there were by rule, those that were not kept included. */
  readonly counts: ReadonlyMap<string, number>
}

/** Collects the findings of one text after another. */
export interface Collector {
  readonly report: Report
  /**
   * Begins with a text, whose findings come next: that of a file, or null for the readme and the record.
   * `firstLine` is the number of its first line.
   */
  begin(file: string | null, text: string, firstLine?: number): void
  /** What was found so far, for `add`. */
  found(): FoundInText
  /** Takes over what another collector has found in the text of a file, or null for the readme. */
  add(found: FoundInText, file: string | null): void
  /** What was found, the gravest first. */
  warnings(): LintWarning[]
}

/**
 * Collects findings: per rule the first five are kept and the rest counted, so that a hostile text
 * with a hundred thousand findings costs no hundred thousand messages.
 */
export function collector(rules: readonly LintRule[]): Collector {
  const levels = new Map(rules.map(({ id, level }) => [id, level]))
  const kept = new Map<string, LintWarning[]>()
  const counts = new Map<string, number>()
  /** Findings of the text that was begun last, whose lines are still to be counted. */
  let placed: Kept[] = []
  let current = { file: null as string | null, text: '', firstLine: 1 }
  return { report, begin, found, add, warnings }

  function report(...[rule, field, message, offset]: Parameters<Report>): void {
    const count = (counts.get(rule) ?? 0) + 1
    counts.set(rule, count)
    if (count > maxWarningsPerRule) return
    const level = levels.get(rule) ?? 'notice'
    const told = typeof message === 'string' ? message : message()
    const { file } = current
    const warning: LintWarning = { rule, level, message: told, file, line: null, field }
    const list = kept.get(rule) ?? []
    list.push(warning)
    kept.set(rule, list)
    const at = typeof offset === 'function' ? offset() : offset
    if (at !== undefined) placed.push({ warning, offset: at })
  }

  function begin(file: string | null, text: string, firstLine = 1): void {
    numberLines(current.text, current.firstLine, placed)
    placed = []
    current = { file, text, firstLine }
  }

  function found(): FoundInText {
    begin(null, '')
    return { warnings: [...kept.values()].flat(), counts }
  }

  function add(found: FoundInText, file: string | null): void {
    for (const [rule, count] of found.counts) counts.set(rule, (counts.get(rule) ?? 0) + count)
    for (const warning of found.warnings) {
      const list = kept.get(warning.rule) ?? []
      if (list.length < maxWarningsPerRule) list.push({ ...warning, file })
      kept.set(warning.rule, list)
    }
  }

  function warnings(): LintWarning[] {
    begin(null, '')
    for (const [rule, list] of kept) {
      const more = (counts.get(rule) ?? 0) - list.length
      const last = list.at(-1)
      if (more > 0 && last) last.message += ` (and ${howMany(more)} more like this)`
    }
    const all = [...kept.values()].flatMap(withoutRepeats)
    return withEachRule(
      all.sort((a, b) => gravity[b.level] - gravity[a.level]),
      maxWarnings,
    )
  }
}

/** Parts of a long text overlap, so that what stands in both is found twice. */
function withoutRepeats(found: readonly LintWarning[]): LintWarning[] {
  const seen = new Set<string>()
  return found.filter(({ file, line, field, message }) => {
    const place = JSON.stringify([file, line, field, message])
    return line === null || !(seen.has(place) || !seen.add(place))
  })
}

/**
 * The first findings, at most so many, and none at the cost of another rule's only one: a flood of one
 * kind hides no other.
 */
export function withEachRule<T extends { rule: string }>(found: readonly T[], most: number): T[] {
  if (found.length <= most) return [...found]
  const rules = new Set<string>()
  const firsts = new Set(found.filter(({ rule }) => !rules.has(rule) && rules.add(rule)))
  let others = most - firsts.size
  return found.filter((finding) => firsts.has(finding) || others-- > 0).slice(0, most)
}

function howMany(more: number): string {
  return more < enoughFindings - 2 * maxWarningsPerRule ? String(more) : 'hundreds'
}

/** One pass over the text for all findings; without findings in it none. */
function numberLines(text: string, firstLine: number, placed: readonly Kept[]): void {
  let line = firstLine
  let next = text.indexOf('\n')
  for (const { warning, offset } of [...placed].sort((a, b) => a.offset - b.offset)) {
    while (next >= 0 && next < offset) {
      line += 1
      next = text.indexOf('\n', next + 1)
    }
    warning.line = line
  }
}
