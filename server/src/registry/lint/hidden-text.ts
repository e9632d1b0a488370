import { firstHidden, hiddenName, hiddenPattern } from './hidden-ranges.ts'
import type { LintField, LintRule, LintSkill, Report } from './types.ts'

export const hiddenTextRules: readonly LintRule[] = [
  {
    id: 'hidden-unicode',
    explanation:
      'Characters that show nothing can carry instructions that a reviewer does not see.',
  },
]

const hidden = hiddenPattern()

export function checkHiddenText(skill: LintSkill, report: Report): void {
  checkText(skill.name, 'name', report)
  checkText(skill.description, 'description', report)
  for (const tag of skill.tags) checkText(tag, 'tags', report)
  checkText(skill.readme, 'readme', report)
}

function checkText(text: string, field: LintField, report: Report): void {
  const start = firstHidden(text)
  if (start < 0) return
  hidden.lastIndex = start
  for (let match = hidden.exec(text); match; match = hidden.exec(text)) {
    const [run] = match
    const { index } = match
    if (isLegitimate(text, index, run)) continue
    report('hidden-unicode', field, () => describe(run), field === 'readme' ? index : undefined)
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

const emojiBefore = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u
const pictographAfter = /^\p{Extended_Pictographic}/u
const symbolBefore = /[\p{Emoji}\p{S}\p{P}]$/u
const hanBefore = /\p{Script=Han}$/u
const tagged = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}$/u
/** Scripts whose letters join, where the joiners decide how a word is written. */
const joiningLetter =
  /[\u0600-\u07ff\u0840-\u0fff\u1000-\u109f\u1780-\u18af\u1a20-\u1aaf\u1b00-\u1bff\ua840-\uaaff\ufb50-\ufdff]/
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** What emoji, Han and joining or right-to-left scripts need is no way to hide text. */
function isLegitimate(text: string, index: number, run: string): boolean {
  const code = run.charCodeAt(0)
  if (run.length === 1) {
    const before = text.slice(Math.max(0, index - 3), index)
    const after = text.slice(index + 1, index + 3)
    if (code === 0xfeff) return index === 0
    if (code === 0xfe0f || code === 0xfe0e) return symbolBefore.test(before)
    if (code >= 0xfe00 && code <= 0xfe0d) return symbolBefore.test(before) || hanBefore.test(before)
    if (code === 0x200d || code === 0x200c) {
      if (joiningLetter.test(before.slice(-1))) return true
      return code === 0x200d && emojiBefore.test(before) && pictographAfter.test(after)
    }
    if (code >= 0x180b && code <= 0x180f) return /[\u1800-\u18af]$/.test(before)
    if (code === 0x200e || code === 0x200f || code === 0x61c) {
      return rightToLeft.test(text.slice(Math.max(0, index - 40), index + 40))
    }
    return false
  }
  // A heart or a mended chain in a sequence: variation selector, then joiner.
  if (run === '\ufe0f\u200d') {
    const before = text.slice(Math.max(0, index - 2), index)
    return emojiBefore.test(before) && pictographAfter.test(text.slice(index + 2, index + 4))
  }
  if (run.length === 2 && run.codePointAt(0) !== code && (run.codePointAt(0) ?? 0) >= 0xe0100) {
    return hanBefore.test(text.slice(Math.max(0, index - 2), index))
  }
  // The flags of England, Scotland and Wales.
  return run.length <= 14 && text.slice(index - 2, index) === '\u{1f3f4}' && tagged.test(run)
}
