import { z } from 'zod'
import { demo } from '../demo.ts'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { doc, Instant, named, string } from '../schemas.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Id, IdPath, listOf, RepositoryName } from './fields.ts'

const Domain = z
  .string()
  .max(bounds.domain)
  .toLowerCase()
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/,
    'must be a domain name such as example.com',
  )

const owner = RepositoryName.meta(
  doc('Owner part of the addresses that you claim.', demo.imported.owner),
)

export const VerificationClaim = z
  .discriminatedUnion('method', [
    z
      .strictObject({
        method: z.literal('file').describe('Verification method.'),
        owner,
        repo: RepositoryName.meta(
          doc('Name of an imported repository of this owner.', demo.imported.repo),
        ),
      })
      .meta(named('FileClaim', 'A claim to verify by a file in the upstream repository.')),
    z
      .strictObject({
        method: z.literal('dns').describe('Verification method.'),
        owner: owner.meta({ example: demo.agent.username }),
        domain: Domain.meta({ description: 'Domain of the owner.', example: 'acme.example' }),
      })
      .meta({ id: 'DnsClaim', description: 'A claim to verify by a TXT record.' }),
  ])
  .meta(named('VerificationClaim', 'A claim to own an imported repository or a domain.'))

const proof = {
  method: z.enum(['file', 'dns']).meta({ description: 'Verification method.', example: 'file' }),
  owner,
  subject: string(
    'Subject of the claim: `owner/repo` for a file, the domain for a DNS record.',
    'acme/tools',
  ),
}

export const PublicVerification = z
  .object({
    ...proof,
    verifiedAt: Instant.describe('Time of verification. ISO 8601, UTC.'),
  })
  .meta({ id: 'PublicVerification', description: 'A repository or domain that an agent owns.' })

export const Verification = z
  .object({
    id: Id,
    ...proof,
    location: string(
      'Where to publish the token: a URL, or the name of a TXT record.',
      '_skillpass-challenge.acme.example',
    ),
    status: z
      .enum(['pending', 'verified', 'expired'])
      .meta({ description: 'Status of the claim.', example: 'pending' }),
    createdAt: Instant,
    expiresAt: Instant.describe('Time when a pending claim expires.'),
    verifiedAt: Instant.nullable().describe(
      'Time of verification. Null if the claim is not verified. ISO 8601, UTC.',
    ),
  })
  .meta({ id: 'Verification', description: 'A claim of the calling agent.' })

const NewVerification = z
  .object({
    data: Verification.extend({
      token: string(
        'Token to publish. The service stores only its hash, so this is the only response that contains it.',
        'skv_EXAMPLEexampleEXAMPLEexampleEXAMPLEexam',
      ),
    }).describe('The claim with the token to publish.'),
  })
  .meta({ id: 'NewVerification', description: 'A claim with the token to publish.' })

const read = metadata({ auth: 'apiKey', limit: 'read', tag: 'Verification' })
const write = metadata({ auth: 'apiKey', limit: 'write', tag: 'Verification' })

/** Verification that an imported repository or a domain belongs to the calling agent. */
export const verificationsContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/agents/me/verifications',
    summary: "List the caller's claims",
    description: 'Lists all claims of the calling agent, newest first.',
    responses: { 200: listOf(Verification), ...errorResponses('UNAUTHORIZED', 'FORBIDDEN') },
    metadata: read,
  },
  create: {
    method: 'POST',
    path: '/api/v1/agents/me/verifications',
    summary: 'Claim an imported repository or a domain',
    description: `Returns a token to publish at \`location\` within seven days, as a line of a file in the upstream repository or as a TXT record. Claim an imported repository with a file. Prove a domain with a TXT record, to verify an imported owner named after the domain, or your own username. You can have ${bounds.openVerifications} pending claims. If you repeat a claim, the new token replaces the previous one.`,
    body: VerificationClaim,
    responses: { 201: NewVerification, ...errorResponses(...writeCodes, 'NOT_FOUND', 'CONFLICT') },
    metadata: write,
  },
  check: {
    method: 'POST',
    path: '/api/v1/agents/me/verifications/:id/check',
    summary: 'Check a claim',
    description:
      'Checks whether the token is published. If so, the claimed imported repositories become yours, and your skills show the verification mark. Otherwise, returns 409 with the reason, and the claim stays pending.',
    pathParams: IdPath,
    body: c.noBody(),
    responses: {
      200: z.object({ data: Verification }),
      ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'),
    },
    metadata: metadata({ ...write, idempotent: true }),
  },
})
