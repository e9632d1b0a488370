import { hiddenEnd, hiddenName, nextHidden } from './hidden-ranges.ts'
import { isLegitimate } from './legitimate-hidden.ts'
import { enoughFindings } from './report.ts'
import type { LintField, LintRule, LintSkill, Report } from './types.ts'

export const hiddenTextRules: readonly LintRule[] = [
  {
    id: 'hidden-unicode',
    explanation:
      'Characters that show nothing can carry instructions that a reviewer does not see.',
  },
]

export function checkHiddenText(skill: LintSkill, report: Report): void {
  checkText(skill.name, 'name', report)
  checkText(skill.description, 'description', report)
  for (const tag of skill.tags) checkText(tag, 'tags', report)
  checkText(skill.readme, 'readme', report)
}

function checkText(text: string, field: LintField, report: Report): void {
  let count = 0
  let start = nextHidden(text, 0)
  while (start < text.length && count <= enoughFindings) {
    const end = hiddenEnd(text, start)
    if (!isLegitimate(text, start, end)) {
      count += 1
      const run = text.slice(start, Math.min(end, start + 401))
      report('hidden-unicode', field, () => describe(run), field === 'readme' ? start : undefined)
    }
    start = nextHidden(text, end)
  }
}

function describe(run: string): string {
  const points = Array.from(run.slice(0, 400), (char) => char.codePointAt(0) ?? 0)
  const first = points[0] ?? 0
  const code = `U+${first.toString(16).toUpperCase().padStart(4, '0')} ${hiddenName(first)}`
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
