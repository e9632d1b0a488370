import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { bytes } from '../schemas.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Digest } from './skill-fields.ts'

const c = initContract()

const StoredBlob = z
  .object({
    digest: Digest.meta({ ...Digest.meta(), description: 'As a version names it.' }),
    size: z.int().min(0).meta({ description: 'Bytes.', example: 1432 }),
  })
  .meta({ id: 'StoredBlob', description: 'The bytes of a file, known by their digest.' })

/** Bytes of files, before a version names them. */
export const blobsContract = c.router({
  upload: {
    method: 'PUT',
    path: '/api/v1/blobs/:sha256',
    summary: 'Upload the bytes of a file',
    description: `Keeps the bytes of a file, at most ${bounds.blobBytes / 1024 ** 2} MiB, under their SHA-256. Sending them again changes nothing. What no version names within a day is forgotten. Counts toward the daily quotas.`,
    pathParams: z.object({
      // The operation refuses what is no digest: a path that fits no schema would be NOT_FOUND.
      sha256: z.string().meta({
        description: 'SHA-256 of the bytes, 64 hexadecimal digits in lower case.',
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
