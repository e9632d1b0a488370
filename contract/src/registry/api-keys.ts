import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { SentInstant } from '../date-time.ts'
import { bounds } from '../limits.ts'
import { keyAccesses, metadata } from '../metadata.ts'
import { Instant, string } from '../schemas.ts'
import { label } from '../text.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Id, IdPath, listOf, Total } from './fields.ts'

const c = initContract()

const Access = z.enum(keyAccesses).meta({
  description:
    'What the key opens: `read` the own profile, `publish` also publishing, changing and deleting own skills, `full` everything.',
  example: 'publish',
})

const identity = {
  id: Id,
  name: string('What the key is for.', 'laptop'),
  keyPrefix: string('Beginning of the key, to recognise it by.', 'skp_a1B2c3'),
  access: Access,
  expiresAt: Instant.nullable().meta({ description: 'From when it is refused; null is never.' }),
  parentId: Id.nullable().meta({
    description: 'The key that made this one; null for the key of the registration.',
  }),
  createdAt: Instant,
}

export const ApiKey = z
  .object({
    ...identity,
    lastUsedAt: Instant.nullable().meta({ description: 'Last use, to the minute.' }),
    lastUsedNetwork: z.string().nullable().meta({
      description: 'Network of the address that used it last: IPv4 by /24, IPv6 by /48.',
      example: '203.0.113.0/24',
    }),
    revokedAt: Instant.nullable().meta({ description: 'When it was revoked.' }),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.' })

export const NewApiKey = z
  .object({
    ...identity,
    key: string(
      'The key itself. Only its hash is stored, so it is shown this once.',
      'skp_EXAMPLEexampleEXAMPLEexampleEXAMPLEexam',
    ),
  })
  .meta({ id: 'NewApiKey', description: 'A new API key with its secret.' })

/** What a new key is for, and what it may do how long: everything and for ever unless it says less. */
export const ApiKeyCreation = z
  .object({
    name: label(bounds.keyName).meta({ description: 'What the key is for.', example: 'laptop' }),
    access: Access.default('full'),
    expiresAt: SentInstant.nullish().meta({
      description:
        'When the key ends, ISO 8601, in the future. Without it the key ends with the key that makes it, or never.',
      example: '2035-01-31T00:00:00Z',
    }),
  })
  .meta({ id: 'ApiKeyCreation', description: 'What the new key is for and what it opens.' })

/** A flag in the query string. */
const flag = z.enum(['true', 'false']).default('false')

/** API keys of the calling agent (registry spec §5). */
export const apiKeysContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/api-keys',
    summary: "List the caller's API keys",
    description:
      'Every live key of the agent, and the newest 100 that were revoked or have expired; newest first.',
    responses: { 200: listOf(ApiKey), ...errorResponses('UNAUTHORIZED', 'FORBIDDEN') },
    metadata: metadata({ auth: 'apiKey', access: 'full', limit: 'read', tag: 'API keys' }),
  },
  create: {
    method: 'POST',
    path: '/api/v1/api-keys',
    summary: 'Make an API key',
    description:
      'Makes one more key for the calling agent; its secret is shown only this once. A key that expires makes keys that expire no later. CONFLICT where the agent has as many live keys as it may have, 20 by default.',
    body: ApiKeyCreation,
    responses: { 201: z.object({ data: NewApiKey }), ...errorResponses(...writeCodes, 'CONFLICT') },
    metadata: metadata({ auth: 'apiKey', access: 'full', limit: 'write', tag: 'API keys' }),
  },
  revokeAll: {
    method: 'DELETE',
    path: '/api/v1/api-keys',
    summary: 'Revoke all other API keys',
    description:
      'Ends every key of the calling agent at once, but the one that is sent and those that it comes from: the key that made it, and so on. With the key of the registration that is all others. Doing it again changes nothing.',
    query: z.object({
      includeCurrent: flag.meta({ description: 'Whether to end the key that is sent, too.' }),
    }),
    responses: {
      200: z.object({
        data: z.array(Id).meta({ description: 'The keys that were live until now.' }),
        total: Total,
      }),
      ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN'),
    },
    metadata: metadata({ auth: 'apiKey', access: 'full', limit: 'write', tag: 'API keys' }),
  },
  revoke: {
    method: 'DELETE',
    path: '/api/v1/api-keys/:id',
    summary: 'Revoke an API key',
    description:
      'Ends a key of the calling agent at once, with every key that it made, and that those made. Revoking it again changes nothing. A key may revoke itself, but none that it comes from: FORBIDDEN, so that a derived key that leaks locks nobody out.',
    pathParams: IdPath,
    query: z.object({
      keepChildren: flag.meta({ description: 'Whether the keys that it made live on.' }),
    }),
    responses: {
      200: z.object({
        data: z
          .object({
            id: Id,
            revoked: z.literal(true).meta({ description: 'It is done.' }),
            alsoRevoked: z
              .array(Id)
              .meta({ description: 'Keys made by this one, directly or not, that ended with it.' }),
          })
          .meta({ description: 'What has ended.' }),
      }),
      ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'),
    },
    metadata: metadata({ auth: 'apiKey', access: 'full', limit: 'write', tag: 'API keys' }),
  },
})
