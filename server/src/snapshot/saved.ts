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
