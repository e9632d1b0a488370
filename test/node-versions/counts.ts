/** How the tests of a run ended. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export const none: Counts = { passed: 0, failed: 0, skipped: 0 }

export const addCounts = (one: Counts, other: Counts): Counts => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
})

/** Reads the last line of what a run printed. */
export function readCounts(printed: string): Counts {
  const last = printed.trimEnd().split('\n').at(-1) ?? ''
  const [, passed, failed, skipped] = /^(\d+) passed, (\d+) failed, (\d+) skipped$/.exec(last) ?? []
  if (skipped === undefined) throw new Error(`The last line is not the count of tests: ${last}`)
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }
}
