/** A reason why a process does not serve everything. `draining` means that it is stopping. */
export type Wait = 'migrations' | 'schema' | 'catalogue' | 'demo' | 'draining'

export interface Readiness {
  /** Why the process waits for the schema, and the key of the database that it has read. */
  fault?: string | undefined
  databaseKey?: number
  /** Empty while everything is served. */
  readonly waits: Set<Wait>
  /** Progress of loading the catalogue, in skills. */
  reading?: { readonly read: number; readonly skills: number }
}
