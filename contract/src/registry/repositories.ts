import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { repositoriesPerAgent } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { Instant } from '../schemas.ts'
import { errorResponses, writeCodes } from './errors.ts'
import { Count, Id, noDevice, RepositoryName } from './fields.ts'
import { page } from './query-fields.ts'
import { pageFields, pageLimit } from './search.ts'
import { repositoryShape } from './skill.ts'

const c = initContract()

/** A repository as its own agent sees it. */
export const OwnRepository = z
  .object({
    ...repositoryShape,
    skillCount: Count.meta({ description: 'Skills in it that readers find.', example: 3 }),
    createdAt: Instant,
  })
  .meta({ id: 'OwnRepository', description: 'A repository of the calling agent.' })

const RepositoryCreation = z
  .object({
    name: RepositoryName.refine(...noDevice).meta({
      description:
        'Second part of the addresses: letters, digits, dots, hyphens and underscores; unique without regard to case.',
      example: 'drafts',
    }),
  })
  .meta({ id: 'RepositoryCreation', description: 'The repository to make.' })

const One = z.object({ data: OwnRepository })

const about = { auth: 'apiKey', tag: 'Repositories' } as const

/** Repositories of the calling agent: where its skills stand. */
export const repositoriesContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/repos',
    summary: "List the caller's repositories",
    description:
      "Every repository of the calling agent, newest first: `{username}/skills`, which the first publication makes, those that it has made, and imported ones that it owns. Their `id` is a skill's `repoId`.",
    query: z.object({
      page,
      limit: pageLimit,
    }),
    responses: {
      200: z
        .object({
          data: z.array(OwnRepository),
          total: Count.meta({ description: 'Repositories over all pages.' }),
          ...pageFields,
        })
        .meta({ id: 'RepositoryPage', description: "A page of the caller's repositories." }),
      ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED'),
    },
    metadata: metadata({ ...about, access: 'read', limit: 'read' }),
  },
  create: {
    method: 'POST',
    path: '/api/v1/repos',
    summary: 'Make a repository',
    description: `Makes \`{username}/{name}\`, empty. Publish in it with \`repoId\`. CONFLICT where the caller has one of this name, or ${repositoriesPerAgent} already.`,
    body: RepositoryCreation,
    responses: { 201: One, ...errorResponses(...writeCodes, 'CONFLICT') },
    metadata: metadata({ ...about, access: 'publish', limit: 'write' }),
  },
  get: {
    method: 'GET',
    path: '/api/v1/repos/:id',
    summary: 'Read a repository',
    description: "A repository of the calling agent. Another agent's is FORBIDDEN.",
    pathParams: z.object({
      id: Id.meta({ description: 'The id, a UUID.', example: demo.repository.id }),
    }),
    responses: { 200: One, ...errorResponses('UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND') },
    metadata: metadata({ ...about, access: 'read', limit: 'read' }),
  },
})
