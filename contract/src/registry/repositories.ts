import { z } from 'zod'
import { demo } from '../demo.ts'
import { repositoriesPerAgent } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { Instant } from '../schemas.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Count, Id, notDeviceName, RepositoryName, Visibility } from './fields.ts'
import { page } from './query-fields.ts'
import { pageFields, pageLimit } from './search.ts'
import { repositoryShape } from './skill.ts'

export const OwnRepository = z
  .object({
    ...repositoryShape,
    skillCount: Count.meta({ description: 'Number of its skills.', example: 3 }),
    createdAt: Instant,
  })
  .meta({
    id: 'OwnRepository',
    description: 'A repository of the calling agent or its organizations.',
  })

const RepositoryCreation = z
  .object({
    name: RepositoryName.refine(...notDeviceName).meta({
      description:
        "Second part of the skills' addresses: letters, digits, dots, hyphens and underscores. Unique per owner, ignoring case.",
      example: 'drafts',
    }),
    owner: RepositoryName.optional().meta({
      description: 'You, or an organization in which you publish. The default is you.',
      example: demo.agent.username,
    }),
    visibility: Visibility.optional(),
  })
  .meta({ id: 'RepositoryCreation', description: 'A repository to create.' })

const Response = z.object({ data: OwnRepository })

const common = { auth: 'apiKey', tag: 'Repositories' } as const

const RepositoryPath = z.object({
  id: Id.meta({ description: 'The id, a UUID.', example: demo.repository.id }),
})

/** Repositories of the calling agent and its organizations, which contain their skills. */
export const repositoriesContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/repos',
    summary: "List the caller's repositories",
    description:
      'Lists the repositories of the calling agent and of its organizations, newest first: `{username}/skills`, which the first publication creates, repositories that were created, and imported ones. Use the `id` as the `repoId` of a skill.',
    query: z.object({
      owner: RepositoryName.optional().describe('Lists only repositories of this owner.'),
      page,
      limit: pageLimit,
    }),
    responses: {
      200: z
        .object({
          data: z.array(OwnRepository),
          total: Count.describe('Number of repositories over all pages.'),
          ...pageFields,
        })
        .meta({ id: 'RepositoryPage', description: "A page of the caller's repositories." }),
      ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED'),
    },
    metadata: metadata({ ...common, access: 'read', limit: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/api/v1/repos',
    summary: 'Create a repository',
    description: `Creates the empty repository \`{owner}/{name}\`. Send its id as \`repoId\` to publish in it. Returns CONFLICT if the owner has a repository of this name or ${repositoriesPerAgent} repositories.`,
    body: RepositoryCreation,
    responses: { 201: Response, ...errorResponses(...writeCodes, 'NOT_FOUND', 'CONFLICT') },
    metadata: metadata({ ...common, access: 'publish', limit: 'write' }),
  },
  get: {
    method: 'GET',
    path: '/api/v1/repos/:id',
    summary: 'Read a repository',
    description:
      "Returns a repository of the calling agent or of one of its organizations. Another owner's public repository returns FORBIDDEN, and its private one NOT_FOUND.",
    pathParams: RepositoryPath,
    responses: { 200: Response, ...errorResponses('UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND') },
    metadata: metadata({ ...common, access: 'read', limit: 'read' }),
  },
  update: {
    method: 'PATCH',
    path: '/api/v1/repos/:id',
    summary: 'Change who can read a repository',
    description:
      'Makes all skills of a repository public or private. Requires an owner. It is in the audit log.',
    pathParams: RepositoryPath,
    body: z
      .strictObject({ visibility: Visibility })
      .meta({ id: 'RepositoryChanges', description: 'The new visibility of a repository.' }),
    responses: { 200: Response, ...errorResponses(...writeCodes, 'NOT_FOUND') },
    metadata: metadata({ ...common, limit: 'write' }),
  },
})
