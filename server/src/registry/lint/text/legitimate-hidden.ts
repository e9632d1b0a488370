import { isOf } from './character-class.ts'

const tagged = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}$/u
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** Whether a run of hidden characters is what emoji, Han and joining or right-to-left scripts need. */
export function isLegitimate(text: string, index: number, end: number): boolean {
  const code = text.charCodeAt(index)
  const before = codePointBefore(text, index)
  if (end - index === 1) {
    if (code === 0xfeff) return index === 0
    if (code === 0xfe0f || code === 0xfe0e) return isOf(before, 'symbol')
    if (code >= 0xfe00 && code <= 0xfe0d) return isOf(before, 'symbol') || isOf(before, 'han')
    if (code === 0x200c) return isOf(before, 'joining')
    if (code === 0x200d) return isOf(before, 'joining') || joinsEmoji(text, index, index + 1)
    if (code >= 0x180b && code <= 0x180f) return isOf(before, 'joining')
    if (code === 0x200e || code === 0x200f || code === 0x61c) {
      return rightToLeft.test(text.slice(Math.max(0, index - 40), index + 40))
    }
    return false
  }
  if (end - index > 14) return false
  const run = text.slice(index, end)
  // A heart or a mended chain in a sequence: variation selector, then joiner.
  if (run === '\ufe0f\u200d') return joinsEmoji(text, index, end)
  const point = run.codePointAt(0) ?? 0
  if (run.length === 2 && point >= 0xe0100 && point <= 0xe01ef) return isOf(before, 'han')
  // The flags of England, Scotland and Wales.
  return before === 0x1f3f4 && tagged.test(run)
}

function joinsEmoji(text: string, start: number, end: number): boolean {
  const after = end < text.length ? (text.codePointAt(end) ?? 0) : 0
  return isOf(codePointBefore(text, start), 'emoji') && isOf(after, 'emoji')
}

function codePointBefore(text: string, index: number): number {
  if (index === 0) return 0
  const unit = text.charCodeAt(index - 1)
  if (unit < 0xdc00 || unit > 0xdfff || index === 1) return unit
  return text.codePointAt(index - 2) ?? 0
}
