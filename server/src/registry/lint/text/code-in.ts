import { eachMatch } from './each-match.ts'

/** Whether an offset stands in code, where a page shows what is written. */
export function codeIn(text: string): (at: number) => boolean {
  /** Where code begins and ends, in turn. */
  const edges: number[] = []
  let open: { mark: string; start: number } | undefined
  const fence = /^[ \t>]{0,20}(?:[-*+]|\d{1,3}[.)])?[ \t]{0,20}(`{3,20}|~{3,20})([^\n]*)/gm
  eachMatch(fence, text, ({ index, 0: line, 1: mark = '', 2: info = '' }) => {
    if (!open) {
      if (mark[0] === '~' || !info.includes('`')) open = { mark, start: index }
    } else if (mark.startsWith(open.mark) && info.trim() === '') {
      edges.push(open.start, index + line.length)
      open = undefined
    }
  })
  if (open) edges.push(open.start, text.length)
  return (at) => {
    if (countBelow(edges, at) % 2 === 1) return true
    // An odd number of backticks before it opens code that it stands in.
    return lineBefore(text, at, 400).split('`').length % 2 === 0
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
