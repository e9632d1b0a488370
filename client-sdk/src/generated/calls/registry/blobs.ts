// Generated from the contract by `npm run generate`: change that, not this file.

import type { CallSettings } from '../../../call.ts'
import type { StoredBlob } from '../../schemas/registry/blobs.ts'

/** The params of `registry.blobs.upload`. */
export interface BlobsUploadParams {
  /** SHA-256 of the bytes, 64 hexadecimal digits in lower case. */
  sha256: string
}

/** What `registry.blobs.upload` answers. */
export interface BlobsUploadResult {
  /** The bytes of a file, known by their digest. */
  data: StoredBlob
}

/** The calls of `blobs`. */
export interface BlobsCalls {
  /**
   * Upload the bytes of a file.
   *
   * Keeps the bytes of a file, at most 4 MiB, under their SHA-256. Sending them again changes
   * nothing. What no version names within a day is forgotten. Counts toward the daily quotas.
   *
   * `PUT /api/v1/blobs/:sha256`. Needs an API key with the access `publish` or more. 1,200 files
   * in any 60 seconds per agent, counted apart from other writes.
   *
   * @throws ValidationError, UnauthorizedError, ForbiddenError, PayloadTooLargeError,
   * RateLimitedError, InternalError, UnavailableError
   */
  readonly upload: (
    input: CallSettings & { params: BlobsUploadParams; body: Uint8Array<ArrayBuffer> | Blob },
  ) => Promise<BlobsUploadResult>
}
