const ends = new Set<() => Promise<unknown>>()

/** Ends with the file's tests; holds in a test and a hook, too, where `afterAll` has no effect. */
export function afterFile(end: () => Promise<unknown>): void {
  ends.add(end)
}

/** What was told to `afterFile` and has ended before. */
export function endedBefore(end: () => Promise<unknown>): void {
  ends.delete(end)
}

/** Ends all that is left, the last begun first. */
export async function endFile(): Promise<void> {
  for (const end of [...ends].reverse()) {
    ends.delete(end)
    await end()
  }
}
