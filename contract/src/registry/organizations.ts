import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { doc, Instant, string } from '../schemas.ts'
import { AgentRegistration } from './agents.ts'
import { ApiKey } from './api-keys.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Count, Id, IdPath, listOf, Username, Visibility } from './fields.ts'

/** Roles of members. Each may do what the previous ones may. */
export const memberRoles = ['reader', 'publisher', 'owner'] as const

export type MemberRole = (typeof memberRoles)[number]

/** Whether a member with the role `held` may do what requires the role `required`. */
export const allowsRole = (held: MemberRole | undefined, required: MemberRole): boolean =>
  held !== undefined && memberRoles.indexOf(held) >= memberRoles.indexOf(required)

export const MemberRole = z.enum(memberRoles).meta({
  description:
    'What a member may do. `reader`: read private skills. `publisher`: also publish, change and delete skills. `owner`: also change members, settings and visibility.',
  example: 'publisher',
})

const Approval = z.enum(['none', 'skills', 'versions']).meta({
  description:
    'What an owner must approve before others see it: nothing, the first version of each skill, or each version.',
  example: 'none',
})

const displayName = AgentRegistration.shape.displayName

export const Organization = z
  .object({
    id: Id,
    username: Username,
    displayName: z.string().nullable().meta(doc('Name shown to people.', 'Acme Inc.')),
    createdAt: Instant,
    skillCount: Count.describe('Number of its skills that you can read.'),
    role: MemberRole.nullable().describe('Your role. Null unless you are a member.'),
    defaultVisibility: Visibility.nullable().describe(
      'Visibility of its new repositories. Null unless you are a member.',
    ),
    approval: Approval.nullable().describe(
      'What an owner must approve. Null unless you are a member.',
    ),
  })
  .meta({ id: 'Organization', description: 'An owner of repositories that has members.' })

const Response = z.object({ data: Organization })

export const Member = z
  .object({ id: Id, username: Username, role: MemberRole, createdAt: Instant })
  .meta({ id: 'Member', description: 'An agent that belongs to an organization.' })

const { lastUsedNetwork: _, ...shownKey } = ApiKey.shape

export const OrganizationKey = z
  .object({ ...shownKey, agent: Username.describe('The agent that holds the key.') })
  .meta({ id: 'OrganizationKey', description: 'An API key that is limited to an organization.' })

const name = string('Username of the organization, in any case.', 'acme-inc')
export const OrganizationPath = z.object({ username: name })
const MemberPath = OrganizationPath.extend({
  member: string('Username of the member.', demo.agent.username),
})

const tag = 'Organizations'
const reading = metadata({ auth: 'apiKey', access: 'read', limit: 'read', tag })
const managing = metadata({ auth: 'apiKey', limit: 'write', tag })
const writeErrors = [...writeCodes, 'NOT_FOUND', 'CONFLICT'] as const
const deleteErrors = ['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const

/** Organizations: owners of repositories with members (spec/registry.md#organizations). */
export const organizationsContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/organizations',
    summary: "List the caller's organizations",
    description: 'Lists the organizations that the calling agent belongs to, by username.',
    responses: { 200: listOf(Organization), ...errorResponses('UNAUTHORIZED') },
    metadata: reading,
  },
  create: {
    method: 'POST',
    path: '/api/v1/organizations',
    summary: 'Create an organization',
    description:
      'Creates an organization whose owner is the calling agent. Usernames of organizations follow the rules for those of agents. Returns CONFLICT if the username is taken, looks like a taken one, or if you own 20 organizations.',
    body: z
      .object({
        username: AgentRegistration.shape.username.meta({
          ...Username.meta(),
          example: 'acme-inc',
        }),
        displayName,
      })
      .meta({ id: 'OrganizationCreation', description: 'An organization to create.' }),
    responses: { 201: Response, ...errorResponses(...writeCodes, 'CONFLICT') },
    metadata: managing,
  },
  get: {
    method: 'GET',
    path: '/api/v1/organizations/:username',
    summary: 'Read an organization',
    description: 'Returns an organization. Members also get its settings and their role.',
    pathParams: OrganizationPath,
    responses: { 200: Response, ...errorResponses('NOT_FOUND') },
    metadata: metadata({ auth: 'none', takesApiKey: true, limit: 'read', tag }),
  },
  update: {
    method: 'PATCH',
    path: '/api/v1/organizations/:username',
    summary: 'Change an organization',
    description: 'Changes the fields that you send. Requires an owner.',
    pathParams: OrganizationPath,
    body: z
      .strictObject({
        displayName,
        defaultVisibility: Visibility.optional(),
        approval: Approval.optional(),
      })
      .meta({ id: 'OrganizationChanges', description: 'Settings of an organization.' }),
    responses: { 200: Response, ...errorResponses(...writeCodes, 'NOT_FOUND') },
    metadata: managing,
  },
  delete: {
    method: 'DELETE',
    path: '/api/v1/organizations/:username',
    summary: 'Delete an organization',
    description:
      'Deletes an organization without skills, its members and its invitations. Nobody can take its username. Requires an owner.',
    pathParams: OrganizationPath,
    responses: { 204: c.noBody(), ...errorResponses(...deleteErrors, 'CONFLICT') },
    metadata: managing,
  },
  members: {
    method: 'GET',
    path: '/api/v1/organizations/:username/members',
    summary: 'List the members of an organization',
    description: 'Lists all members by username. Requires a member.',
    pathParams: OrganizationPath,
    responses: {
      200: listOf(Member),
      ...errorResponses('UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'),
    },
    metadata: reading,
  },
  changeMember: {
    method: 'PATCH',
    path: '/api/v1/organizations/:username/members/:member',
    summary: "Change a member's role",
    description: 'Requires an owner. Returns CONFLICT if no owner would be left.',
    pathParams: MemberPath,
    body: z
      .strictObject({ role: MemberRole })
      .meta({ id: 'MemberChange', description: 'The new role of a member.' }),
    responses: { 200: z.object({ data: Member }), ...errorResponses(...writeErrors) },
    metadata: managing,
  },
  removeMember: {
    method: 'DELETE',
    path: '/api/v1/organizations/:username/members/:member',
    summary: 'Remove a member, or leave',
    description:
      'Owners remove any member, and every member can leave. The keys of the removed agent lose access at once: after the response, nothing that it publishes is stored. Returns CONFLICT if no owner would be left.',
    pathParams: MemberPath,
    responses: { 204: c.noBody(), ...errorResponses(...deleteErrors, 'CONFLICT') },
    metadata: managing,
  },
  apiKeys: {
    method: 'GET',
    path: '/api/v1/organizations/:username/api-keys',
    summary: 'List the API keys that are limited to an organization',
    description:
      'Lists the active keys of members and workflows that are limited to the organization or to one of its repositories, newest first. Requires an owner.',
    pathParams: OrganizationPath,
    responses: {
      200: listOf(OrganizationKey),
      ...errorResponses('UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'),
    },
    metadata: metadata({ auth: 'apiKey', limit: 'read', tag }),
  },
  revokeApiKey: {
    method: 'DELETE',
    path: '/api/v1/organizations/:username/api-keys/:id',
    summary: 'Revoke an API key that is limited to an organization',
    description: 'Revokes an active key that `GET` lists. Requires an owner.',
    pathParams: OrganizationPath.extend(IdPath.shape),
    responses: { 204: c.noBody(), ...errorResponses(...deleteErrors) },
    metadata: managing,
  },
})
