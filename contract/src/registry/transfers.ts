import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { Instant, string } from '../schemas.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Id, IdPath, listOf, Username } from './fields.ts'
import { OwnRepository } from './repositories.ts'

const Transfer = z
  .object({
    id: Id,
    repoId: Id,
    from: string('Address of the repository.', 'report-writer/skills'),
    to: Username.describe('The agent or organization that may accept.'),
    createdAt: Instant,
    expiresAt: Instant.describe('Seven days after the request.'),
  })
  .meta({ id: 'Transfer', description: 'A pending transfer of a repository to another owner.' })

const tag = 'Repositories'
const writing = metadata({ auth: 'apiKey', limit: 'write', tag })
const errors = ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const

/** Transfers of repositories to other owners (spec/registry.md#transfers). */
export const transfersContract = c.router({
  create: {
    method: 'POST',
    path: '/api/v1/repos/:id/transfer',
    summary: 'Offer a repository to another owner',
    description:
      'Offers a repository with its skills to an agent or organization, which has seven days to accept. It replaces an earlier offer. Requires an owner. Returns CONFLICT if the new owner has a repository of this name.',
    pathParams: z.object({
      id: Id.meta({ description: 'Id of the repository.', example: demo.repository.id }),
    }),
    body: z
      .strictObject({
        to: string('Username of the agent or organization.', 'acme-inc'),
      })
      .meta({ id: 'TransferCreation', description: 'The new owner of a repository.' }),
    responses: {
      201: z.object({ data: Transfer }),
      ...errorResponses(...writeCodes, 'NOT_FOUND', 'CONFLICT'),
    },
    metadata: writing,
  },
  list: {
    method: 'GET',
    path: '/api/v1/transfers',
    summary: 'List pending transfers',
    description:
      'Lists the pending transfers to and from the caller and the organizations that it owns, newest first.',
    responses: { 200: listOf(Transfer), ...errorResponses('UNAUTHORIZED') },
    metadata: metadata({ auth: 'apiKey', access: 'read', limit: 'read', tag }),
  },
  accept: {
    method: 'POST',
    path: '/api/v1/transfers/:id/accept',
    summary: 'Accept a transfer',
    description:
      'Gives the repository and its skills to the new owner. Versions, votes and stars stay. Signatures become invalid, because they cover the address. Former addresses redirect for 30 days. Requires the agent, or an owner of the organization, to which it was offered.',
    pathParams: IdPath,
    body: c.noBody(),
    responses: { 200: z.object({ data: OwnRepository }), ...errorResponses(...errors, 'CONFLICT') },
    metadata: writing,
  },
  delete: {
    method: 'DELETE',
    path: '/api/v1/transfers/:id',
    summary: 'Decline or cancel a transfer',
    description: 'Either side ends the transfer. Nothing changes.',
    pathParams: IdPath,
    responses: { 204: c.noBody(), ...errorResponses(...errors) },
    metadata: writing,
  },
})
