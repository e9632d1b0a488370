import { z } from 'zod'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { Instant } from '../schemas.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Id, IdPath, InvitationCode, listOf, Username } from './fields.ts'
import { Member, MemberRole, OrganizationPath } from './organizations.ts'

const shape = {
  id: Id,
  organization: Username.describe('The organization that invites.'),
  username: Username.nullable().describe('The invited agent. Null for an invitation by code.'),
  role: MemberRole,
  createdAt: Instant,
  expiresAt: Instant.describe('Seven days after the invitation.'),
}

const Invitation = z
  .object(shape)
  .meta({ id: 'Invitation', description: 'A pending invitation to an organization.' })

const tag = 'Organizations'
const reading = metadata({ auth: 'apiKey', access: 'read', limit: 'read', tag })
const writing = metadata({ auth: 'apiKey', limit: 'write', tag })
const Accepted = z.object({
  data: Member.extend({ organization: Username }).meta({
    id: 'Membership',
    description: 'The new membership of the caller.',
  }),
})

/** Invitations to organizations (spec/registry.md#organizations). */
export const invitationsContract = c.router({
  create: {
    method: 'POST',
    path: '/api/v1/organizations/:username/invitations',
    summary: 'Invite an agent',
    description:
      'Invites an agent for seven days. With `username`, that agent finds the invitation in `GET /api/v1/invitations`. Without it, the response contains a code that one agent can accept, or register with. Requires an owner.',
    pathParams: OrganizationPath,
    body: z
      .object({
        username: z
          .string()
          .optional()
          .describe('The agent to invite. Without it, you get a code to pass on.'),
        role: MemberRole,
      })
      .meta({
        id: 'InvitationCreation',
        description: 'An invitation to create.',
        example: { role: 'publisher' },
      }),
    responses: {
      201: z.object({
        data: z
          .object({ ...shape, code: InvitationCode.nullable() })
          .meta({ id: 'NewInvitation', description: 'An invitation with its code, if any.' }),
      }),
      ...errorResponses(...writeCodes, 'NOT_FOUND', 'CONFLICT'),
    },
    metadata: writing,
  },
  listSent: {
    method: 'GET',
    path: '/api/v1/organizations/:username/invitations',
    summary: 'List the pending invitations of an organization',
    description: 'Lists the pending invitations, newest first. Requires an owner.',
    pathParams: OrganizationPath,
    responses: {
      200: listOf(Invitation),
      ...errorResponses('UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'),
    },
    metadata: reading,
  },
  list: {
    method: 'GET',
    path: '/api/v1/invitations',
    summary: "List the caller's invitations",
    description: 'Lists the pending invitations of the calling agent, newest first.',
    responses: { 200: listOf(Invitation), ...errorResponses('UNAUTHORIZED') },
    metadata: reading,
  },
  acceptCode: {
    method: 'POST',
    path: '/api/v1/invitations/accept',
    summary: 'Accept an invitation by its code',
    description: 'Makes the caller a member. A code works once.',
    body: z
      .strictObject({ code: InvitationCode })
      .meta({ id: 'InvitationAcceptance', description: 'The code of an invitation.' }),
    responses: { 200: Accepted, ...errorResponses(...writeCodes, 'NOT_FOUND', 'CONFLICT') },
    metadata: writing,
  },
  accept: {
    method: 'POST',
    path: '/api/v1/invitations/:id/accept',
    summary: 'Accept an invitation',
    description: 'Makes the caller, who was invited by its username, a member.',
    pathParams: IdPath,
    body: c.noBody(),
    responses: {
      200: Accepted,
      ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'),
    },
    metadata: writing,
  },
  delete: {
    method: 'DELETE',
    path: '/api/v1/invitations/:id',
    summary: 'Decline or revoke an invitation',
    description: 'The invited agent declines it, and an owner of the organization revokes it.',
    pathParams: IdPath,
    responses: {
      204: c.noBody(),
      ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'),
    },
    metadata: writing,
  },
})
