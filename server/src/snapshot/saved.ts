export interface SnapshotPart {
  readonly name: string
  /** One view, or pieces in order that are created while they are written. */
  readonly bytes: Uint8Array | Iterable<Uint8Array>
}

/** State to store in a snapshot. `meta` is small and stored as JSON. */
export interface Saved {
  readonly meta: unknown
  readonly parts: readonly SnapshotPart[]
}

export interface Loaded {
  readonly meta: unknown
  readonly parts: ReadonlyMap<string, Uint8Array>
}

/** In-memory state that snapshots store. */
export interface Savable {
  /** Returns the current state. Its bytes must not change afterwards. */
  save(): Saved
  /** Restores a saved state into an empty object. Throws if the state is inconsistent. */
  restore(loaded: Loaded): void | Promise<void>
}
