import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { bytes } from '../schemas.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Digest } from './skill-fields.ts'

const StoredBlob = z
  .object({
    digest: Digest.meta({
      ...Digest.meta(),
      description: 'SHA-256 of the bytes, as versions refer to it.',
    }),
    size: z.int().min(0).meta({ description: 'Size in bytes.', example: 1432 }),
  })
  .meta({ id: 'StoredBlob', description: 'A stored file, identified by its digest.' })

/** Uploads of files before a version refers to them. */
export const blobsContract = c.router({
  upload: {
    method: 'PUT',
    path: '/api/v1/blobs/:sha256',
    summary: 'Upload a file',
    description: `Stores a file of at most ${bounds.blobBytes / 1024 ** 2} MiB under its SHA-256. A repeated upload changes nothing. The service deletes the file if no version refers to it within a day. Counts toward the daily quotas.`,
    pathParams: z.object({
      // No schema check here, because a path that fails it returns NOT_FOUND instead of
      // VALIDATION_ERROR.
      sha256: z.string().meta({
        description: 'SHA-256 of the bytes, as 64 lowercase hexadecimal digits.',
        pattern: '^[0-9a-f]{64}$',
        example: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      }),
    }),
    body: bytes('The bytes of the file.'),
    responses: { 200: z.object({ data: StoredBlob }), ...errorResponses(...writeCodes) },
    metadata: metadata({
      auth: 'apiKey',
      access: 'publish',
      limit: 'upload',
      tag: 'Files',
      bytes: bounds.blobBytes,
    }),
  },
})
