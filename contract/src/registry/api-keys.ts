import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { label } from '../text.ts'
import { errorResponses } from './errors.ts'
import { Count, Id, IdPath, Timestamp } from './fields.ts'

const c = initContract()

const identity = {
  id: Id,
  name: z.string().meta({ description: 'What the key is for.', example: 'laptop' }),
  keyPrefix: z
    .string()
    .meta({ description: 'Beginning of the key, to recognise it by.', example: 'skp_a1B2c3' }),
  createdAt: Timestamp,
}

export const ApiKey = z
  .object({
    ...identity,
    lastUsedAt: Timestamp.nullable().meta({ description: 'Last use, to the minute.' }),
    revokedAt: Timestamp.nullable().meta({ description: 'When it was revoked.' }),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.' })

export const NewApiKey = z
  .object({
    ...identity,
    key: z.string().meta({
      description: 'The key itself. Only its hash is stored, so it is shown this once.',
      example: 'skp_EXAMPLEexampleEXAMPLEexampleEXAMPLEexam',
    }),
  })
  .meta({ id: 'NewApiKey', description: 'A new API key with its secret.' })

/** API keys of the calling agent (registry spec §5). */
export const apiKeysContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/api-keys',
    summary: "List the caller's API keys",
    description: 'Every key of the agent, newest first, revoked ones included.',
    responses: {
      200: z.object({ data: z.array(ApiKey), total: Count }),
      ...errorResponses('UNAUTHORIZED', 'RATE_LIMITED'),
    },
    metadata: metadata({ auth: 'apiKey', limit: 'read', tag: 'API keys' }),
  },
  create: {
    method: 'POST',
    path: '/api/v1/api-keys',
    summary: 'Make an API key',
    description: 'Makes one more key for the calling agent; its secret is shown only this once.',
    body: z
      .object({
        name: label(bounds.keyName).meta({
          description: 'What the key is for.',
          example: 'laptop',
        }),
      })
      .meta({ id: 'ApiKeyCreation', description: 'What the new key is for.' }),
    responses: {
      201: z.object({ data: NewApiKey }),
      ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED'),
    },
    metadata: metadata({ auth: 'apiKey', limit: 'write', tag: 'API keys' }),
  },
  revoke: {
    method: 'DELETE',
    path: '/api/v1/api-keys/:id',
    summary: 'Revoke an API key',
    description: 'Ends a key of the calling agent at once. Revoking it again changes nothing.',
    pathParams: IdPath,
    responses: {
      200: z.object({ data: z.object({ id: Id, revoked: z.literal(true) }) }),
      ...errorResponses('UNAUTHORIZED', 'NOT_FOUND', 'RATE_LIMITED'),
    },
    metadata: metadata({ auth: 'apiKey', limit: 'write', tag: 'API keys' }),
  },
})
