import type { ByteRange } from '../objects/object-store.ts'

export interface FileEntry {
  readonly path: string
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
  readonly executable: boolean
  readonly crc32: number
  open(range?: ByteRange): AsyncIterable<Uint8Array>
}
