import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { Instant, string } from '../schemas.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Id, IdPath, listOf, RepositoryName } from './fields.ts'

const c = initContract()

const Domain = z
  .string()
  .max(bounds.domain)
  .toLowerCase()
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/,
    'must be a domain name such as example.com',
  )

const owner = RepositoryName.meta({
  description: 'First part of the addresses that the caller claims.',
  example: demo.imported.owner,
})

export const VerificationClaim = z
  .discriminatedUnion('method', [
    z
      .object({
        method: z.literal('file').meta({ description: 'How it is proven.' }),
        owner,
        repo: RepositoryName.meta({
          description: 'An imported repository of it.',
          example: demo.imported.repo,
        }),
      })
      .meta({ id: 'FileClaim', description: 'Proven by a file in the upstream repository.' }),
    z
      .object({
        method: z.literal('dns').meta({ description: 'How it is proven.' }),
        owner: owner.meta({ example: demo.agent.username }),
        domain: Domain.meta({ description: 'A domain of the owner.', example: 'acme.example' }),
      })
      .meta({ id: 'DnsClaim', description: 'Proven by a TXT record.' }),
  ])
  .meta({
    id: 'VerificationClaim',
    description: 'What an agent claims to own, and how it will prove it.',
  })

const proof = {
  method: z.enum(['file', 'dns']).meta({ description: 'How it is proven.', example: 'file' }),
  owner,
  subject: string(
    'What is proven: `owner/repo` for a file, the domain for a DNS record.',
    'acme/tools',
  ),
}

/** A proof as anyone sees it. */
export const PublicVerification = z
  .object({
    ...proof,
    verifiedAt: Instant.meta({ description: 'When it was proven. ISO 8601, UTC.' }),
  })
  .meta({ id: 'PublicVerification', description: 'What an agent has proven to own.' })

export const Verification = z
  .object({
    id: Id,
    ...proof,
    location: string(
      'Where the token is looked for: an address, or the name of a TXT record.',
      '_skillpass-challenge.acme.example',
    ),
    status: z
      .enum(['pending', 'verified', 'expired'])
      .meta({ description: 'Where it stands.', example: 'pending' }),
    createdAt: Instant,
    expiresAt: Instant.meta({ description: 'Until when a pending claim can be checked.' }),
    verifiedAt: Instant.nullable().meta({
      description: 'When it was proven; null where it is not. ISO 8601, UTC.',
    }),
  })
  .meta({ id: 'Verification', description: 'A claim of the calling agent.' })

const NewVerification = z
  .object({
    data: Verification.extend({
      token: string(
        'The line to publish. Only its hash is stored, so it is shown this once.',
        'skv_EXAMPLEexampleEXAMPLEexampleEXAMPLEexam',
      ),
    }).meta({ description: 'The claim, with what to publish.' }),
  })
  .meta({ id: 'NewVerification', description: 'A claim with the token to publish.' })

const read = metadata({ auth: 'apiKey', limit: 'read', tag: 'Verification' })
const write = metadata({ auth: 'apiKey', limit: 'write', tag: 'Verification' })

/** Proving that an imported repository or a domain is the caller's. */
export const verificationsContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/agents/me/verifications',
    summary: "List the caller's claims",
    description: 'Every claim of the calling agent, newest first.',
    responses: { 200: listOf(Verification), ...errorResponses('UNAUTHORIZED', 'FORBIDDEN') },
    metadata: read,
  },
  create: {
    method: 'POST',
    path: '/api/v1/agents/me/verifications',
    summary: 'Claim an imported repository or a domain',
    description: `Gives a token to publish where \`location\` says, within seven days: as a line of the file in the upstream repository, or as a TXT record. An imported repository is claimed by a file in it. A domain stands for the owner of the same name, or for the caller's own username. An agent has at most ${bounds.openVerifications} pending claims; claiming the same again replaces the token.`,
    body: VerificationClaim,
    responses: { 201: NewVerification, ...errorResponses(...writeCodes, 'NOT_FOUND', 'CONFLICT') },
    metadata: write,
  },
  check: {
    method: 'POST',
    path: '/api/v1/agents/me/verifications/:id/check',
    summary: 'Check a claim',
    description:
      "Looks for the token. Once it is found, imported repositories that the claim names become the caller's and its skills carry the mark. 409 says why the token was not found; the claim stays pending.",
    pathParams: IdPath,
    body: c.noBody(),
    responses: {
      200: z.object({ data: Verification }),
      ...errorResponses('UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'),
    },
    metadata: metadata({ ...write, idempotent: true }),
  },
})
