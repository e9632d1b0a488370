import type { Spooled } from './spool.ts'

/** Bytes of a file from `start` to before `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A store for bytes outside of the database, by keys that it makes. */
export interface ObjectStore {
  /** Keeps bytes; gives the key, which no other bytes get. */
  put(digest: string, bytes: Spooled): Promise<string>
  open(key: string, range: ByteRange): AsyncIterable<Uint8Array>
  /** Removes an object; none is fine, too. */
  remove(key: string): Promise<void>
}
