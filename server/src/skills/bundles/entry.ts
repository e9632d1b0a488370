import type { ByteRange } from '../objects/object-store.ts'

/** A file of a version, ready to be read. */
export interface FileEntry {
  readonly path: string
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
  readonly executable: boolean
  readonly crc32: number
  /** Its bytes, a part at a time; some of them where a range is named. */
  open(range?: ByteRange): AsyncIterable<Uint8Array>
}
