// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../../call.ts'
import type { SkillManifest } from '../../schemas/registry/files.ts'

/** The params of `registry.files.list`. */
export interface FilesListParams {
  /** The id, a UUID. */
  id: string
}

/** The query of `registry.files.list`. */
export interface FilesListQuery {
  /** A version by number; the current one without it. */
  version?: number | undefined
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
  readonly list: (
    input: CallSettings & { params: FilesListParams; query?: FilesListQuery | undefined },
  ) => Promise<FilesListResult>
}
