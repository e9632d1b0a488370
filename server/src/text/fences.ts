/** A fenced code block. `info` is the text after the opening fence, such as `bash`. */
export interface Fence {
  readonly start: number
  readonly end: number
  readonly info: string
}

/** The lookbehind comes after the rare characters, because a search that starts with it is slow. */
const fence = /(`{3,20}|~{3,20})(?<=^[ \t>]{0,20}(?:[-*+]|\d{1,3}[.)])?[ \t]{0,20}\1)([^\n]*)/gm

/** Returns the fenced code blocks of a text, in order. An unclosed block extends to the end. */
export function fencesIn(text: string): Fence[] {
  const fences: Fence[] = []
  let open: { mark: string; start: number; info: string } | undefined
  for (const { index, 0: line, 1: mark = '', 2: info = '' } of text.matchAll(fence)) {
    if (!open) {
      if (mark[0] === '~' || !info.includes('`')) open = { mark, start: index, info: info.trim() }
    } else if (mark.startsWith(open.mark) && info.trim() === '') {
      fences.push({ ...open, end: index + line.length })
      open = undefined
    }
  }
  if (open) fences.push({ ...open, end: text.length })
  return fences
}

/** Finds the block around an offset by bisection. */
export function fenceAt(fences: readonly Fence[], at: number): Fence | undefined {
  let [low, high] = [0, fences.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((fences[middle]?.end ?? 0) < at) low = middle + 1
    else high = middle
  }
  const fence = fences[low]
  return fence && fence.start < at ? fence : undefined
}
