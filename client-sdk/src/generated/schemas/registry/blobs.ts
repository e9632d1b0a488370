// Generated from the contract by `npm run generate`: change that, not this file.

/** The bytes of a file, known by their digest. */
export interface StoredBlob {
  /** As a version names it. */
  digest: string
  /** Bytes. */
  size: number
}
