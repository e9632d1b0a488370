/** What keeps a process from serving everything; `draining` once it stops. */
export type Wait = 'database' | 'migrations' | 'catalogue' | 'draining'

export type Readiness = ReturnType<typeof createReadiness>

/** How many skills the catalogue has read, of how many. */
interface Reading {
  readonly read: number
  readonly skills: number
}

/** What this process waits for before it serves, at first for `first`, and how far it has come. */
export function createReadiness(first: readonly Wait[] = []) {
  const waits = new Set(first)
  let reading: Reading | undefined
  return {
    /** In the order that they end; empty while everything is served. */
    get waitingFor(): readonly Wait[] {
      return [...waits]
    },
    /** How far the catalogue is while skills are read one by one. */
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
    read(now: Reading): void {
      reading = now
    },
  }
}
