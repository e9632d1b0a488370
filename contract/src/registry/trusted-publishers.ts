import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { Instant, string } from '../schemas.ts'
import { NewApiKey } from './api-keys.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Id, listOf, OwnerOrRepository } from './fields.ts'

const limitedTo = OwnerOrRepository.meta({
  description:
    'Where the workflow may publish: an agent or organization (`acme`), or a repository (`acme/skills`).',
  example: demo.agent.username,
})

const source = {
  issuer: z.url({ protocol: /^https?$/ }).meta({
    description: 'Issuer of the tokens. The operator of the registry allows issuers.',
    example: 'https://token.actions.githubusercontent.com',
  }),
  repository: z
    .string()
    .max(255)
    .regex(/^[\w.-]+(?:\/[\w.-]+)+$/, 'must be a path such as acme/tools')
    .meta({
      description: 'Repository of the workflow at the issuer, exactly as it writes the name.',
      example: demo.trustedPublisher.repository,
    }),
  workflow: z
    .string()
    .max(255)
    .regex(/^[\w. /-]+\.ya?ml$/, 'must be the name of a YAML file')
    .meta({
      description:
        'File of the workflow: its name in `.github/workflows` for GitHub, its path for GitLab.',
      example: demo.trustedPublisher.workflow,
    }),
  environment: string('The only environment of the jobs that may publish.', 'production')
    .min(1)
    .max(255)
    .nullable(),
}

export const TrustedPublisher = z
  .object({ id: Id, limitedTo, ...source, createdAt: Instant })
  .meta({ id: 'TrustedPublisher', description: 'A workflow that may publish without a key.' })

const TrustedPublisherCreation = z
  .object({
    ...source,
    limitedTo: limitedTo.nullish(),
    environment: source.environment.optional(),
  })
  .meta({ id: 'TrustedPublisherCreation', description: 'A workflow to trust.' })

const TokenExchange = z
  .object({
    token: z.string().min(1).max(16_384).meta({
      description: 'OIDC token of the job, whose audience is the address of this registry.',
      example: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.e30.c2ln',
    }),
    limitedTo: limitedTo.nullish().describe('Selects one of several owners who trust a workflow.'),
  })
  .meta({ id: 'TokenExchange', description: 'A token of a job to exchange for an API key.' })

const common = { auth: 'apiKey', access: 'full', tag: 'API keys' } as const

/** Workflows that publish without a stored key (spec/registry.md#trusted-publishing). */
export const trustedPublishersContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/trusted-publishers',
    summary: 'List trusted publishers',
    description:
      'Lists the workflows that an owner trusts, newest first. Only its owners see them.',
    query: z.object({
      owner: OwnerOrRepository.optional().meta({
        description: 'An agent or organization. By default the caller.',
        example: demo.agent.username,
      }),
    }),
    responses: {
      200: listOf(TrustedPublisher),
      ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'),
    },
    metadata: metadata({ ...common, limit: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/api/v1/trusted-publishers',
    summary: 'Trust a workflow',
    description:
      'Lets the jobs of a workflow publish for you, or for an organization of which you are an owner, without a stored key. By default, they may publish in all your repositories.',
    body: TrustedPublisherCreation,
    responses: {
      201: z.object({ data: TrustedPublisher }),
      ...errorResponses(...writeCodes, 'NOT_FOUND'),
    },
    metadata: metadata({ ...common, limit: 'write' }),
  },
  delete: {
    method: 'DELETE',
    path: '/api/v1/trusted-publishers/:id',
    summary: 'Stop trusting a workflow',
    description:
      'Ends the trust in a workflow. Keys that its jobs have received expire within 15 minutes.',
    pathParams: z.object({
      id: Id.meta({ description: 'The id, a UUID.', example: demo.trustedPublisher.id }),
    }),
    responses: {
      200: z.object({
        data: z
          .object({ id: Id, deleted: z.literal(true).describe('Always true.') })
          .describe('The deleted trusted publisher.'),
      }),
      ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'),
    },
    metadata: metadata({ ...common, limit: 'write' }),
  },
  exchange: {
    method: 'POST',
    path: '/api/v1/trusted-publishing/token',
    summary: 'Exchange the token of a job for an API key',
    description:
      'Returns an API key with the access `publish` that expires after 15 minutes. Each token can be used once. Versions that the key publishes name the commit of the job. Returns FORBIDDEN if nobody trusts the workflow, and CONFLICT if `limitedTo` must name one of several.',
    body: TokenExchange,
    responses: {
      201: z.object({ data: NewApiKey }),
      ...errorResponses(...writeCodes, 'CONFLICT'),
    },
    metadata: metadata({ auth: 'none', limit: 'authorize', tag: 'API keys' }),
  },
})
