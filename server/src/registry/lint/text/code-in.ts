import { eachMatch } from './each-match.ts'

/** A fenced block of code, and what stands behind its opening, such as `bash`. */
export interface Fence {
  readonly start: number
  readonly end: number
  readonly info: string
}

/** The fenced blocks of a text, in their order; one that is never closed goes on to the end. */
export function fencesIn(text: string): Fence[] {
  const fences: Fence[] = []
  let open: { mark: string; start: number; info: string } | undefined
  const fence = /^[ \t>]{0,20}(?:[-*+]|\d{1,3}[.)])?[ \t]{0,20}(`{3,20}|~{3,20})([^\n]*)/gm
  eachMatch(fence, text, ({ index, 0: line, 1: mark = '', 2: info = '' }) => {
    if (!open) {
      if (mark[0] === '~' || !info.includes('`')) open = { mark, start: index, info: info.trim() }
    } else if (mark.startsWith(open.mark) && info.trim() === '') {
      fences.push({ start: open.start, end: index + line.length, info: open.info })
      open = undefined
    }
  })
  if (open) fences.push({ start: open.start, end: text.length, info: open.info })
  return fences
}

/** Whether an offset stands in code, where a page shows what is written. */
export function codeIn(text: string): (at: number) => boolean {
  const fenced = fenceAt(fencesIn(text))
  return (at) => {
    if (fenced(at)) return true
    // An odd number of backticks before it opens code that it stands in.
    return lineBefore(text, at, 400).split('`').length % 2 === 0
  }
}

/** The block of code that an offset stands in. */
export const fenceAt = (fences: readonly Fence[]): ((at: number) => Fence | undefined) => {
  const starts = fences.map(({ start }) => start)
  return (at) => {
    const fence = fences[countBelow(starts, at) - 1]
    return fence && at <= fence.end ? fence : undefined
  }
}

/** What stands before a place on its line, at most so many characters of it. */
export function lineBefore(text: string, at: number, most: number): string {
  const before = text.slice(Math.max(0, at - most), at)
  return before.slice(before.lastIndexOf('\n') + 1)
}

/** How many of some ascending numbers are below another. */
function countBelow(numbers: readonly number[], bound: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? bound) < bound) low = middle + 1
    else high = middle
  }
  return low
}
