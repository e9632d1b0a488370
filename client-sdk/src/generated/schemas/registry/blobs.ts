// Generated from the contract by `npm run generate`: change that, not this file.

/** The bytes of a file, known by their digest. */
export interface StoredBlob {
  /**
   * As a version names it.
   *
   * @example "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
   */
  digest: string
  /**
   * Bytes.
   *
   * @example 1432
   */
  size: number
}
