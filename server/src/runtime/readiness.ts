/** What keeps a process from serving everything; `draining` once it stops. */
export type Wait = 'database' | 'migrations' | 'catalogue' | 'draining'

/** What this process waits for before it serves, and how far it has come. */
export interface Readiness {
  /** In the order that they end; empty while everything is served. */
  readonly waitingFor: readonly Wait[]
  /** How many skills the catalogue has read, of how many, while they are read one by one. */
  readonly reading: Reading | undefined
  isWaitingFor(what: Wait): boolean
  begin(what: Wait): void
  end(what: Wait): void
  read(reading: Reading): void
}

interface Reading {
  readonly read: number
  readonly skills: number
}

/** A process that waits for `first` yet. */
export function createReadiness(first: readonly Wait[] = []): Readiness {
  const waits = new Set(first)
  let reading: Reading | undefined
  return {
    get waitingFor() {
      return [...waits]
    },
    get reading() {
      return waits.has('catalogue') ? reading : undefined
    },
    isWaitingFor: (what) => waits.has(what),
    begin(what) {
      waits.add(what)
    },
    end(what) {
      waits.delete(what)
    },
    read(now) {
      reading = now
    },
  }
}
