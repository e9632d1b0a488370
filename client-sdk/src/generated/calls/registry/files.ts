// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../../call.ts'
import type { SkillManifest } from '../../schemas/registry/files.ts'

/** The query of `registry.files.list`. */
export interface FilesListQuery {
  /** A version by number; the current one without it. */
  version?: number | undefined
}

/** What `registry.files.list` takes. */
export interface FilesListInput extends CallSettings {
  readonly params: {
    /**
     * The id, a UUID.
     *
     * @example "de300000-0000-4000-8000-000000000003"
     */
    id: string
  }
  readonly query?: FilesListQuery | undefined
}

/** What `registry.files.list` answers. */
export interface FilesListResult {
  /** The files of a version. */
  data: SkillManifest
}

/** The calls of `files`. */
export interface FilesCalls {
  /**
   * List the files of a skill.
   *
   * The manifest of a version: every file with its digest, and where its bytes are. A version
   * never changes, nor does its manifest.
   *
   * `GET /api/v1/skills/:id/files`. Needs no credential. 600 files, archives and lists of files in
   * any 60 seconds per client address, counted apart from other reads.
   *
   * @throws ValidationError, NotFoundError, RateLimitedError, UnavailableForLegalReasonsError,
   * InternalError, UnavailableError
   */
  readonly list: (input: FilesListInput) => Promise<FilesListResult>
}
