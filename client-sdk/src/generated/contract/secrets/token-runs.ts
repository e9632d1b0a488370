// Generated from the contract by `npm run generate`: change that, not this file.

/** No token of a known shape has a shorter first run of `[A-Za-z0-9_-]`. */
const minRun = 20

const inRun = new Uint8Array(0x10000)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-') {
  inRun[char.charCodeAt(0)] = 1
}

/**
 * Where runs of at least twenty token characters begin. Looks at the end of each window of twenty
 * first, and so at a fraction of the characters of prose.
 */
export function longRuns(text: string): number[] {
  const starts: number[] = []
  let start = 0
  while (start + minRun <= text.length) {
    let at = start + minRun - 1
    while (at >= start && inRun[text.charCodeAt(at)] === 1) at -= 1
    if (at >= start) {
      start = at + 1
      continue
    }
    starts.push(start)
    start += minRun
    while (start < text.length && inRun[text.charCodeAt(start)] === 1) start += 1
  }
  return starts
}
