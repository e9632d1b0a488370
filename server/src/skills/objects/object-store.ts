import type { Spooled } from './spool.ts'

/** A byte range. `end` is exclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Storage for bytes outside the database. The store chooses the keys. */
export interface ObjectStore {
  /** Stores bytes under a new, unique key and returns it. */
  put(digest: string, bytes: Spooled): Promise<string>
  open(key: string, range: ByteRange): AsyncIterable<Uint8Array>
  /** Removes an object. Succeeds if it does not exist. */
  remove(key: string): Promise<void>
}
