/** Reasons why a process does not serve everything. `draining` means that it is stopping. */
export type Wait = 'database' | 'migrations' | 'catalogue' | 'draining'

export type Readiness = ReturnType<typeof createReadiness>

/** Progress of loading the catalogue, in skills. */
interface Progress {
  readonly read: number
  readonly skills: number
}

/** Tracks what the process waits for, at first `first`, and how much of the catalogue is loaded. */
export function createReadiness(first: readonly Wait[] = []) {
  const waits = new Set(first)
  let reading: Progress | undefined
  return {
    /** Empty while everything is served. */
    get waitingFor(): readonly Wait[] {
      return [...waits]
    },
    /** Progress while skills are loaded one by one. */
    get reading() {
      return waits.has('catalogue') ? reading : undefined
    },
    isWaitingFor: (what: Wait) => waits.has(what),
    begin(what: Wait): void {
      waits.add(what)
    },
    end(what: Wait): void {
      waits.delete(what)
    },
    read(now: Progress): void {
      reading = now
    },
  }
}
