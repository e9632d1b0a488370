import { describeHidden, hiddenRanges, isNeededHidden } from '@skillpass/contract'
import type { Report } from './types.ts'

/** A readme may contain newlines and any script, but no private-use characters. */
const ranges = hiddenRanges.filter(([, , , kind]) => kind === undefined || kind === 'private')
const escaped = (point: number) => `\\u{${point.toString(16)}}`
const points = ranges.map(([first, last]) => `${escaped(first)}-${escaped(last)}`)
const hiddenRun = new RegExp(`[${points.join('')}]+`, 'gu')

/** The characters other than printable ASCII and white space. */
const unusual = /[^\t\n\r -~]+/g
const holdsHidden = (text: string): boolean =>
  (text.match(unusual) ?? []).join('').search(hiddenRun) >= 0

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const symbolBefore = /[\p{Emoji}\p{S}\p{P}]$/u

/** Yields runs of invisible characters that no emoji or script needs, as [start, end). */
export function* hiddenRuns(text: string): Generator<[start: number, end: number]> {
  for (const { index, 0: run } of text.matchAll(hiddenRun)) {
    if (!isNeeded(text, index, run)) yield [index, index + run.length]
  }
}

function isNeeded(text: string, index: number, run: string): boolean {
  if (run.length > 14) return false
  if (run === '\ufeff') return index === 0
  if (run === '\u200e' || run === '\u200f' || run === '\u061c') {
    return rightToLeft.test(text.slice(Math.max(0, index - 40), index + 40))
  }
  if (/^[\ufe00-\ufe0f]$/.test(run) && symbolBefore.test(text.slice(Math.max(0, index - 2), index)))
    return true
  return isNeededHidden(text, index, run.length)
}

/** Runs after which the check stops. */
const maxRuns = 1000

export function findHiddenText(text: string, report: Report): void {
  if (!holdsHidden(text)) return
  let count = 0
  for (const [start, end] of hiddenRuns(text)) {
    if (count++ > maxRuns) return
    const run = text.slice(start, Math.min(end, start + 401))
    const rule = isMessage(run) ? 'hidden-message' : 'hidden-unicode'
    report(rule, describe(run), start)
  }
}

/** Tag characters, numbered variation selectors and reversed text. */
const message = /[\u202a\u202b\u202d\u202e\u2066\u2067\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]{3}/u

/** Private-use characters belong to fonts, and control characters to broken encodings. */
const isMessage = (run: string): boolean =>
  message.test(run) || (run.length >= 8 && !/[\p{Co}\p{Cc}]/u.test(run))

function describe(run: string): string {
  const code = describeHidden(String.fromCodePoint(run.codePointAt(0) ?? 0))
  const count = [...run].length
  if (count === 1) return `hidden character ${code}`
  return `${run.length > 400 ? 'over 400' : count} hidden characters, the first ${code}`
}
