/** A reason why a process does not serve everything. `draining` means that it is stopping. */
export type Wait = 'migrations' | 'catalogue' | 'draining'
