import { z } from 'zod'
import { SentInstant } from '../date-time.ts'
import { demo } from '../demo.ts'
import { bounds } from '../limits.ts'
import { keyAccesses, metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { boolean, Instant, string } from '../schemas.ts'
import { label } from '../text.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Count, Id, IdPath, listOf, OwnerOrRepository, Total } from './fields.ts'

const Access = z.enum(keyAccesses).meta({
  description:
    'Access of the key. `read` allows reading your profile and the private skills that you may read: the access for CI and installers. `publish` also allows publishing, changing and deleting your skills. `full` allows everything.',
  example: 'publish',
})

const limitedTo = z.string().nullable().meta({
  description:
    'The only organization (`acme`) or repository (`acme/skills`) for which the key works. Null without a limit.',
  example: 'acme',
})

const identity = {
  id: Id,
  name: string('Purpose of the key.', 'laptop'),
  keyPrefix: string('Start of the key, to identify it.', 'skp_a1B2c3'),
  access: Access,
  expiresAt: Instant.nullable().describe('Time of expiry. Null if the key never expires.'),
  isRegistration: boolean('Whether the agent received the key at registration.', false),
  limitedTo,
  createdAt: Instant,
}

export const ApiKey = z
  .object({
    ...identity,
    lastUsedAt: Instant.nullable().describe('Time of the last use, to the minute. Null if unused.'),
    lastUsedNetwork: z.string().nullable().meta({
      description: 'Network of the last use: an IPv4 /24 or an IPv6 /48. Null if unknown.',
      example: '203.0.113.0/24',
    }),
    useCount: Count.describe('Number of requests with the key, a few seconds late.'),
    revokedAt: Instant.nullable().describe('Time of revocation. Null if the key is not revoked.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.' })

export const NewApiKey = z
  .object({
    ...identity,
    key: string(
      'The key. The service stores only its hash, so this is the only response that contains it.',
      'skp_EXAMPLEexampleEXAMPLEexampleEXAMPLEexam',
    ),
  })
  .meta({ id: 'NewApiKey', description: 'A new API key with its secret.' })

export const ApiKeyCreation = z
  .object({
    name: label(bounds.keyName).meta({ description: 'Purpose of the key.', example: 'laptop' }),
    access: z
      .enum([...keyAccesses, 'admin'])
      .default('full')
      .transform((access) => (access === 'admin' ? 'full' : access))
      .meta({ description: `${Access.description} \`admin\` is another name for \`full\`.` }),
    limitedTo: OwnerOrRepository.nullish().meta({
      description:
        'Limits the key to an organization of which you are a member (`acme`), or to a repository (`acme/skills`). It has your role there, and none elsewhere. By default, it has no limit.',
      example: demo.agent.username,
    }),
    expiresAt: SentInstant.nullish().meta({
      description:
        'Time of expiry in the future, ISO 8601. By default, the key expires together with the key that creates it, or never.',
      example: '2035-01-31T00:00:00Z',
    }),
  })
  .meta({ id: 'ApiKeyCreation', description: 'An API key to create.' })

/** What the API key of a request may do. */
export const UsedKey = z
  .object({
    access: Access,
    expiresAt: identity.expiresAt,
    isRegistration: identity.isRegistration,
    limitedTo,
  })
  .meta({ id: 'UsedKey', description: 'The API key of the request.' })

/** API keys of the calling agent (spec/registry.md#authentication). */
export const apiKeysContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/api-keys',
    summary: "List the caller's API keys",
    description:
      'Lists all active keys of the calling agent and its newest 100 revoked or expired keys, newest first.',
    responses: { 200: listOf(ApiKey), ...errorResponses('UNAUTHORIZED', 'FORBIDDEN') },
    metadata: metadata({ auth: 'apiKey', access: 'full', limit: 'read', tag: 'API keys' }),
  },
  create: {
    method: 'POST',
    path: '/api/v1/api-keys',
    summary: 'Create an API key',
    description:
      'Creates another key for the calling agent. No other response contains the key. A key that expires can only create keys that expire no later. A limited key cannot create keys. Returns CONFLICT if the agent already has the maximum number of active keys, 20 by default.',
    body: ApiKeyCreation,
    responses: {
      201: z.object({ data: NewApiKey }),
      ...errorResponses(...writeCodes, 'NOT_FOUND', 'CONFLICT'),
    },
    metadata: metadata({ auth: 'apiKey', access: 'full', limit: 'write', tag: 'API keys' }),
  },
  revokeAll: {
    method: 'DELETE',
    path: '/api/v1/api-keys',
    summary: 'Revoke all other API keys',
    description:
      'Revokes all keys of the calling agent immediately, except the key that you send and the key from registration. A repeated request changes nothing.',
    responses: {
      200: z.object({
        data: z.array(Id).describe('Ids of the keys that this request revoked.'),
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
      'Revokes a key of the calling agent immediately. A repeated request changes nothing. Only the key from registration can revoke itself (otherwise FORBIDDEN), so that a leaked key cannot lock you out. If other keys are active then, `others` must say what happens to them (otherwise CONFLICT).',
    pathParams: IdPath,
    query: z.object({
      others: z.enum(['keep', 'revoke']).optional().meta({
        description:
          'What happens to the other active keys. Only for the key from registration, which needs it if there are any.',
        example: 'keep',
      }),
    }),
    responses: {
      200: z.object({
        data: z
          .object({
            id: Id,
            revoked: z.literal(true).describe('Always true.'),
            alsoRevoked: z.array(Id).describe('Ids of the other keys that this request revoked.'),
          })
          .describe('The revoked keys.'),
      }),
      ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'),
    },
    metadata: metadata({ auth: 'apiKey', access: 'full', limit: 'write', tag: 'API keys' }),
  },
})
