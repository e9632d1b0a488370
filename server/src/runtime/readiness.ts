/** A reason why a process does not serve everything. `draining` means that it is stopping. */
export type Wait = 'migrations' | 'catalogue' | 'draining'

export interface Readiness {
  /** Empty while everything is served. */
  readonly waits: Set<Wait>
  /** Progress of loading the catalogue, in skills. */
  reading?: { readonly read: number; readonly skills: number }
}
