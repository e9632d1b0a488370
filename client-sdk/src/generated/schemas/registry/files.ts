// Generated from the contract by `npm run generate`: change that, not this file.

/** The files of a version. */
export interface SkillManifest {
  /** Number of the version: 1, 2, 3 … */
  version: number
  /**
   * SHA-256 of the manifest: of a line `sha256:… SIZE MODE PATH` for each file, in the byte order
   * of their paths, each with a line feed; the mode is 0755 or 0644.
   */
  digest: string
  /** Bytes of all files. */
  size: number
  /**
   * SKILL.md and what stands beside it, in the byte order of their paths. SKILL.md is the readme,
   * with `name` and `description` added to its front matter where they lack.
   */
  files: SkillFile[]
  /** The same files as archives, without a folder around them. */
  archives: {
    /** All files of a version in one. */
    tarGz: SkillArchive
    /** All files of a version in one. */
    zip: SkillArchive
  }
}

/** A file of a version. */
export interface SkillFile {
  /**
   * Where it stands in the folder of the skill, with `/` between segments. For example
   * `scripts/fill.py`.
   */
  path: string
  /** SHA-256 of the bytes, hexadecimal. */
  digest: string
  /** Bytes. 0 to 4,194,304. */
  size: number
  /** Whether it may be run: mode 0755, else 0644. */
  executable: boolean
  /** Where its bytes are. */
  url: string
}

/** All files of a version in one. */
export interface SkillArchive {
  /** Where it is. */
  url: string
  /** SHA-256 of the archive, hexadecimal. */
  digest: string
  /** Bytes. */
  size: number
}
