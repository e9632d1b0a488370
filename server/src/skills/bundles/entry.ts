export interface FileEntry {
  readonly path: string
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
  readonly executable: boolean
  readonly crc32: number
  open(): AsyncIterable<Uint8Array>
}
