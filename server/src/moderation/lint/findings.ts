import { bounds } from '@skillpass/contract'
import { lintVersion, rules } from './rules.ts'
import { countLines } from './text.ts'
import type { Judgement, LintLevel, LintWarning, Report } from './types.ts'

const maxWarnings = 50
const maxWarningsPerRule = 5

const gravity: Readonly<Record<LintLevel, number>> = { advice: 0, notice: 1, warning: 2 }
const known = new Map(rules.map((rule) => [rule.id, rule]))

/** A text whose findings are noted. */
export interface Place {
  /** Null for the readme and the record. */
  readonly file: string | null
  readonly text: string
  /** Number of the text's first line. */
  readonly firstLine: number
  /** Whether the lines of the text are the name, the description and the tags. */
  readonly isRecord?: boolean
}

const recordLines = ['name', 'description'] as const

/**
 * Keeps the first five findings of a rule and counts the rest, so that a hostile text with a hundred
 * thousand findings costs no hundred thousand messages.
 */
export function createFindings() {
  const found = new Map<string, { kept: LintWarning[]; more: number }>()
  return { reportIn, warnings }

  function reportIn({ file, text, firstLine, isRecord }: Place): Report {
    return (rule, message, at) => {
      const entry = found.get(rule) ?? { kept: [], more: 0 }
      found.set(rule, entry)
      if (entry.kept.length === maxWarningsPerRule) {
        entry.more += 1
        return
      }
      const { level = 'notice', field: about = 'readme' } = known.get(rule) ?? {}
      const lines = at === undefined ? 0 : countLines(text, at)
      const field = isRecord ? (recordLines[lines] ?? 'tags') : about
      const line = at === undefined || isRecord ? null : firstLine + lines
      // Parts of a long text overlap, so a finding in both is found twice.
      const isKnown = entry.kept.some(
        (kept) =>
          line !== null && kept.line === line && kept.file === file && kept.message === message,
      )
      if (!isKnown) entry.kept.push({ rule, level, message, file, line, field })
    }
  }

  /** All warnings, the gravest first. */
  function warnings(): LintWarning[] {
    const all = [...found.values()].flatMap(({ kept, more }) => {
      const last = kept.at(-1)
      if (more > 0 && last) last.message += ` (and ${more} more like this)`
      return kept
    })
    return withEachRule(
      all.sort((a, b) => gravity[b.level] - gravity[a.level]),
      maxWarnings,
    )
  }
}

/** The first findings, at most so many, but at least one of each rule: a flood of one kind hides no other. */
function withEachRule<T extends { rule: string }>(found: readonly T[], most: number): T[] {
  if (found.length <= most) return [...found]
  const seen = new Set<string>()
  const firsts = new Set(found.filter(({ rule }) => !seen.has(rule) && seen.add(rule)))
  let others = most - firsts.size
  return found.filter((finding) => firsts.has(finding) || others-- > 0).slice(0, most)
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
  const gravest = findings[0]?.level ?? 'advice'
  return {
    verdict: gravest === 'advice' ? 'clean' : gravest,
    findings: withEachRule(findings, bounds.skillWarnings),
    lintVersion,
  }
}
