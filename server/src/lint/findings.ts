import { bounds } from '@skillpass/contract'
import type { Finding, LintLevel, LintResult } from '../store/registry/skill-record.ts'
import type { Reading } from '../text/markdown.ts'
import { lintVersion, rules } from './rules.ts'
import { countLines } from './text.ts'

const maxFindings = 50
const maxFindingsPerRule = 5

const severity: Readonly<Record<LintLevel, number>> = { advice: 0, notice: 1, warning: 2 }
const known = new Map(rules.map((rule) => [rule.id, rule]))

export interface CheckedText {
  /** Null for the readme and the skill's fields. */
  readonly file: string | null
  readonly text: string
  readonly firstLine: number
  readonly changes?: Reading['changes']
  /** Whether another form of the same text was searched before. */
  readonly isSecond?: boolean
  /** Whether the lines of the text are name, description and tags. */
  readonly isFields?: boolean
}

const fieldLines = ['name', 'description'] as const

/**
 * Collects findings. Stores the first five per rule and counts the rest, so that a hostile text
 * cannot produce a hundred thousand messages.
 */
export function createFindings() {
  const found = new Map<string, { first: Finding[]; more: number }>()
  return { reportIn, findings }

  function reportIn({
    file,
    text,
    firstLine,
    changes = [],
    isFields,
    isSecond,
  }: CheckedText): Report {
    return (rule, message, at) => {
      const entry = found.get(rule) ?? { first: [], more: 0 }
      found.set(rule, entry)
      if (entry.first.length === maxFindingsPerRule) {
        if (!isSecond) entry.more += 1
        return
      }
      const { level = 'notice', field: about = 'readme' } = known.get(rule) ?? {}
      const before = changes.filter((change) => at !== undefined && change.at <= at)
      const removed = before.reduce((sum, change) => sum + change.lines, 0)
      const lines = at === undefined ? 0 : countLines(text, at) + removed
      const field = isFields ? (fieldLines[lines] ?? 'tags') : about
      const line = at === undefined || isFields ? null : firstLine + lines
      // Parts of a long text overlap, so a finding may occur twice.
      const isKnown = entry.first.some(
        (known) =>
          known.file === file &&
          known.line === line &&
          known.field === field &&
          (isSecond || (line !== null && known.message === message)),
      )
      if (!isKnown) entry.first.push({ rule, level, message, file, line, field })
    }
  }

  /** Returns all findings, most severe first. */
  function findings(): Finding[] {
    const all = [...found.values()].flatMap(({ first, more }) => {
      const last = first.at(-1)
      if (more > 0 && last) last.message += ` (and ${more} more)`
      return first
    })
    return withEachRule(
      all.sort((a, b) => severity[b.level] - severity[a.level]),
      maxFindings,
    )
  }
}

/** Reports a text that the lint does not search, or not whole. */
export const reportIntricate = (report: Report, at: number) =>
  report('too-intricate', 'has too many commands to check', at)

/** Returns at most `limit` findings, with at least one per rule. */
function withEachRule<T extends { rule: string }>(found: readonly T[], limit: number): T[] {
  if (found.length <= limit) return [...found]
  const seen = new Set<string>()
  const firsts = new Set(found.filter(({ rule }) => !seen.has(rule) && seen.add(rule)))
  let others = limit - firsts.size
  return found.filter((finding) => firsts.has(finding) || others-- > 0).slice(0, limit)
}

/** Returns the result for readers, without advice for the author. */
export function lintResultOf(allFindings: readonly Finding[]): LintResult {
  const seen = new Set<string>()
  const findings = allFindings.filter(({ rule, file, line, level }) => {
    const place = `${rule} ${line} ${file}`
    if (level === 'advice' || seen.has(place)) return false
    seen.add(place)
    return true
  })
  const highest = findings[0]?.level ?? 'advice'
  return {
    verdict: highest === 'advice' ? 'clean' : highest,
    findings: withEachRule(findings, bounds.skillWarnings),
    lintVersion,
  }
}

export type {
  Finding,
  LintField,
  LintLevel,
  LintResult,
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
