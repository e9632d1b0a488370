import { describeHidden, hiddenRanges, isNeededHidden } from '@skillpass/contract'
import type { Report } from './types.ts'

/** A readme has lines and the signs of any script, but needs no private use characters. */
const ranges = hiddenRanges.filter(([, , , kind]) => kind === undefined || kind === 'private')
const escaped = (point: number) => `\\u{${point.toString(16)}}`
const points = ranges.map(([first, last]) => `${escaped(first)}-${escaped(last)}`)
const hiddenRun = new RegExp(`[${points.join('')}]+`, 'gu')

/** What of a text is neither printable ASCII nor white space: the only place to look for odd characters. */
export const unusualIn = (text: string): string => text.match(/[^\t\n\r -~]+/g)?.join('') ?? ''

export const holdsHidden = (text: string): boolean => text.search(hiddenRun) >= 0

/** Private use and controls are no part of words either; what joins emoji goes as well. */
export const withoutHidden = (text: string): string => text.replace(hiddenRun, '')

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const symbolBefore = /[\p{Emoji}\p{S}\p{P}]$/u

/** The runs of characters that a reader would not see and no emoji or script needs, as [start, end). */
export function* hiddenRuns(text: string): Generator<[start: number, end: number]> {
  hiddenRun.lastIndex = 0
  for (let match = hiddenRun.exec(text); match; match = hiddenRun.exec(text)) {
    const { index, 0: run } = match
    const after = hiddenRun.lastIndex
    if (!isNeeded(text, index, run)) yield [index, after]
    hiddenRun.lastIndex = after
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

/** After so many findings a check may stop. */
const enough = 1000

export function findHiddenText(text: string, report: Report): void {
  let count = 0
  for (const [start, end] of hiddenRuns(text)) {
    if (count++ > enough) return
    const run = text.slice(start, Math.min(end, start + 401))
    const rule = isMessage(run) ? 'hidden-message' : 'hidden-unicode'
    report(rule, describe(run), start)
  }
}

/** Tags, numbered variation selectors, reversed text. */
const message = /[\u202a\u202b\u202d\u202e\u2066\u2067\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]{3}/u

/** Whether a run carries a message. Private use characters are of some font, controls of a broken encoding. */
const isMessage = (run: string): boolean =>
  message.test(run) || (run.length >= 8 && !/[\p{Co}\p{Cc}]/u.test(run))

function describe(run: string): string {
  const code = describeHidden(String.fromCodePoint(run.codePointAt(0) ?? 0))
  const count = [...run].length
  if (count === 1) return `hidden character ${code}`
  return `${run.length > 400 ? 'hundreds of' : count} hidden characters from ${code} on`
}
