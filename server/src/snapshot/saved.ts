/** A named run of bytes that a snapshot keeps. */
export interface SnapshotPart {
  readonly name: string
  /** One view, or pieces in their order that are made as they are written. */
  readonly bytes: Uint8Array | Iterable<Uint8Array>
}

/** What some state in memory gives to be kept; `meta` is what JSON carries, and small. */
export interface Saved {
  readonly meta: unknown
  readonly parts: readonly SnapshotPart[]
}

/** What was saved, read back. */
export interface Loaded {
  readonly meta: unknown
  readonly parts: ReadonlyMap<string, Uint8Array>
}

/** State in memory that snapshots keep. */
export interface Savable {
  /** The state of this instant, over bytes that do not change any more. */
  save(): Saved
  /** Takes back what `save` gave, into an empty state. Throws when it does not fit together. */
  restore(loaded: Loaded): void | Promise<void>
}
