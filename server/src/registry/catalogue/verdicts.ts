import type { Column } from '../columns/column.ts'
import type { Finding, Verdict } from '../lint/judge.ts'
import type { SkillRecord } from '../store/skill-record.ts'

/** What the lint says of each skill, by slot. Few skills have findings, so only those take memory. */
export interface Verdicts {
  /** Whether this is news. */
  set(slot: number, shown: Shown): boolean
  at(slot: number): Shown
  /** Whether a skill's verdict is no graver; one that is still to be linted counts as a notice. */
  isAtMost(slot: number, verdict: Verdict): boolean
  /** Slots and their findings, as `restore` takes them back. */
  findings(): [slot: number, findings: string][]
  restore(findings: readonly (readonly [slot: number, findings: string])[]): void
}

type Shown = Pick<SkillRecord, 'verdict' | 'warnings' | 'state' | 'stateBy' | 'stateReason'>

const codes: readonly Shown['verdict'][] = [null, 'clean', 'notice', 'warning']
const states = [
  ['visible', null],
  ['visible', 'publisher'],
  ['visible', 'operator'],
  ['held', 'operator'],
] as const
const gravity: Readonly<Record<Verdict, number>> = { clean: 1, notice: 2, warning: 3 }
const none: readonly Finding[] = []

/** `column` holds the verdicts, `answer` what was answered to them; both are saved with the other columns. */
export function createVerdicts(column: Column, answer: Column): Verdicts {
  const found = new Map<number, string>()
  return {
    set(slot, { verdict, warnings, ...shown }) {
      answer.set(
        slot,
        states.findIndex(([state, by]) => state === shown.state && by === shown.stateBy),
      )
      const text = warnings.length === 0 ? undefined : write(warnings)
      const code = codes.indexOf(verdict)
      if (column.get(slot) === code && found.get(slot) === text) return false
      column.set(slot, code)
      if (text === undefined) found.delete(slot)
      else found.set(slot, text)
      return true
    },
    at(slot) {
      const text = found.get(slot)
      const [state, stateBy] = states[answer.get(slot)] ?? states[0]
      return {
        verdict: codes[column.get(slot)] ?? null,
        warnings: text === undefined ? none : read(text),
        state,
        stateBy,
        stateReason: null,
      }
    },
    isAtMost: (slot, verdict) => (column.get(slot) || gravity.notice) <= gravity[verdict],
    findings: () => [...found],
    restore(findings) {
      found.clear()
      for (const [slot, text] of findings) found.set(slot, text)
    },
  }
}

const write = (warnings: readonly Finding[]) =>
  warnings
    .map(({ rule, file, line }) => {
      // A path may hold spaces and colons.
      const place =
        file === null ? [line ?? ''] : [line ?? '', encodeURIComponent(file.toWellFormed())]
      return [rule, ...place].join(':').replace(/:$/, '')
    })
    .join(' ')

const read = (text: string): Finding[] =>
  text.split(' ').map((part) => {
    const [rule = '', line, file] = part.split(':')
    return {
      rule,
      file: file === undefined ? null : decodeURIComponent(file),
      line: line ? Number(line) : null,
    }
  })
