import { describeHidden } from '@skillpass/contract'
import { enoughFindings } from './report/collector.ts'
import { type LintField, type Report, rulesOf } from './report/types.ts'
import { hiddenEnd, nextHidden } from './text/hidden-runs.ts'
import { isLegitimate } from './text/legitimate-hidden.ts'

/** The runs of characters that a reader would not see and no emoji or script needs, as [start, end). */
export function* hiddenRuns(text: string): Generator<[start: number, end: number]> {
  for (let start = nextHidden(text, 0); start < text.length; ) {
    const end = hiddenEnd(text, start)
    if (!isLegitimate(text, start, end)) yield [start, end]
    start = nextHidden(text, end)
  }
}

export const hiddenTextRules = [
  ...rulesOf('warning', {
    'hidden-message':
      'Tag characters, rows of zero-width characters and reversed text show one thing to people and another to an agent.',
  }),
  ...rulesOf('notice', {
    'hidden-unicode':
      'Characters that show nothing can carry instructions that a reviewer does not see.',
  }),
]

/** Reports runs of characters that show nothing. */
export function findHiddenText(text: string, field: LintField, report: Report): void {
  let count = 0
  for (const [start, end] of hiddenRuns(text)) {
    const run = text.slice(start, Math.min(end, start + 401))
    const rule = isMessage(run) ? 'hidden-message' : 'hidden-unicode'
    report(rule, field, () => describe(run), field === 'readme' ? start : undefined)
    count += 1
    if (count > enoughFindings) return
  }
}

/** Tags, numbered variation selectors, reversed text; or so many in a row that they spell something. */
const message = /[\u202a\u202b\u202d\u202e\u2066\u2067\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]{3}/u
const longRun = 8

function isMessage(run: string): boolean {
  if (message.test(run)) return true
  // Private use characters are symbols of some font, and controls come of a broken encoding.
  return run.length >= longRun && !/[\p{Co}\p{Cc}]/u.test(run)
}

function describe(run: string): string {
  const points = Array.from(run.slice(0, 400), (char) => char.codePointAt(0) ?? 0)
  const first = points[0] ?? 0
  const code = describeHidden(String.fromCodePoint(first))
  if (points.length === 1) return `hidden character ${code}`
  const carried = String.fromCodePoint(...points.flatMap(carriedCharacter)).trim()
  const carries = carried === '' ? '' : ` that carry ${JSON.stringify(carried.slice(0, 60))}`
  const many = run.length > 400 ? 'hundreds of' : String(points.length)
  return `${many} hidden characters from ${code} on${carries}`
}

/** Tag characters are ASCII moved to where nothing shows; variation selectors can number bytes. */
function carriedCharacter(point: number): number[] {
  if (point >= 0xe0020 && point <= 0xe007e) return [point - 0xe0000]
  const byte = point >= 0xe0100 ? point - 0xe0100 + 16 : point - 0xfe00
  const selector = (point >= 0xe0100 && point <= 0xe01ef) || (point >= 0xfe00 && point <= 0xfe0f)
  return selector && byte >= 0x20 && byte < 0x7f ? [byte] : []
}
