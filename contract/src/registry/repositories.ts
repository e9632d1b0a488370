import { z } from 'zod'
import { demo } from '../demo.ts'
import { repositoriesPerAgent } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { Instant } from '../schemas.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Count, Id, notDeviceName, RepositoryName } from './fields.ts'
import { page } from './query-fields.ts'
import { pageFields, pageLimit } from './search.ts'
import { repositoryShape } from './skill.ts'

export const OwnRepository = z
  .object({
    ...repositoryShape,
    skillCount: Count.meta({ description: 'Number of its public skills.', example: 3 }),
    createdAt: Instant,
  })
  .meta({ id: 'OwnRepository', description: 'A repository of the calling agent.' })

const RepositoryCreation = z
  .object({
    name: RepositoryName.refine(...notDeviceName).meta({
      description:
        "Second part of the skills' addresses: letters, digits, dots, hyphens and underscores. Unique per owner, ignoring case.",
      example: 'drafts',
    }),
  })
  .meta({ id: 'RepositoryCreation', description: 'A repository to create.' })

const Response = z.object({ data: OwnRepository })

const common = { auth: 'apiKey', tag: 'Repositories' } as const

/** Repositories of the calling agent, which contain its skills. */
export const repositoriesContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/repos',
    summary: "List the caller's repositories",
    description:
      'Lists the repositories of the calling agent, newest first: `{username}/skills`, which the first publication creates, repositories that it created, and imported ones that it owns. Use the `id` as the `repoId` of a skill.',
    query: z.object({
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
    description: `Creates the empty repository \`{username}/{name}\`. Send its id as \`repoId\` to publish in it. Returns CONFLICT if you have a repository of this name or ${repositoriesPerAgent} repositories.`,
    body: RepositoryCreation,
    responses: { 201: Response, ...errorResponses(...writeCodes, 'CONFLICT') },
    metadata: metadata({ ...common, access: 'publish', limit: 'write' }),
  },
  get: {
    method: 'GET',
    path: '/api/v1/repos/:id',
    summary: 'Read a repository',
    description:
      "Returns a repository of the calling agent. Another agent's repository returns FORBIDDEN.",
    pathParams: z.object({
      id: Id.meta({ description: 'The id, a UUID.', example: demo.repository.id }),
    }),
    responses: { 200: Response, ...errorResponses('UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND') },
    metadata: metadata({ ...common, access: 'read', limit: 'read' }),
  },
})
