import { lintSkill, rules } from '@skillpass/server/registry/lint/index'
import { judgementOf, type Verdict } from '@skillpass/server/registry/lint/judge'
import { type CorpusSkill, readSkills } from '../support/corpus.ts'
import { seededRandom } from '../support/random.ts'
import { printTable } from './table.ts'

/** Findings of one rule that are printed to be read. */
const toRead = 20

/**
 * How many skills of the corpus each rule names, what verdicts they get, and what it costs; or, of one
 * rule, twenty of its findings to be read.
 */
export async function benchLint(rule?: string): Promise<void> {
  const skills = readSkills()
  if (rule !== undefined) return printFindings(skills, rule)
  const named = new Map<string, number>()
  const verdicts: Record<Verdict, number> = { clean: 0, notice: 0, warning: 0 }
  const times: number[] = []
  const begun = process.cpuUsage()
  for (const skill of skills) {
    const start = performance.now()
    const warnings = lintSkill(skill)
    times.push(performance.now() - start)
    for (const rule of new Set(warnings.map(({ rule }) => rule))) {
      named.set(rule, (named.get(rule) ?? 0) + 1)
    }
    verdicts[judgementOf(warnings).verdict]++
  }
  const { user, system } = process.cpuUsage(begun)
  printTable(
    `The lint on ${skills.length} skills`,
    ['rule', 'level', 'skills'],
    rules.map(({ id, level }) => [id, level, named.get(id) ?? 0]),
  )
  printTable(
    'Verdicts',
    ['verdict', 'skills', 'percent'],
    Object.entries(verdicts).map(([verdict, count]) => [
      verdict,
      count,
      (100 * count) / skills.length,
    ]),
  )
  times.sort((a, b) => a - b)
  printTable(
    'Time per skill, ms',
    ['mean of CPU', 'median', '99 %', 'slowest'],
    [
      [
        (user + system) / 1000 / skills.length,
        times[times.length >> 1] ?? 0,
        times[Math.floor(times.length * 0.99)] ?? 0,
        times.at(-1) ?? 0,
      ],
    ],
  )
}

/** One finding of each of some skills, drawn the same in every run, with its lines. */
function printFindings(skills: readonly CorpusSkill[], rule: string): void {
  const random = seededRandom(1)
  const found = skills
    .flatMap((skill) => {
      const finding = lintSkill(skill).find((warning) => warning.rule === rule)
      return finding ? [{ skill, finding, at: random() }] : []
    })
    .sort((a, b) => a.at - b.at)
  console.log(`${rule}: ${found.length} skills`)
  for (const { skill, finding } of found.slice(0, toRead)) {
    const { line, message } = finding
    const lines = line === null ? [] : skill.readme.split('\n').slice(line - 1, line + 3)
    console.log(`\n${skill.id}:${line ?? finding.field}: ${message}`)
    for (const text of lines) console.log(`    ${text.slice(0, 300)}`)
  }
}
