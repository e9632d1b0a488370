import { z } from 'zod'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { doc, Instant, string, strings } from '../schemas.ts'
import { errorResponses } from './errors.ts'
import { Id, listOf, Username } from './fields.ts'
import { OrganizationPath } from './organizations.ts'

const Mirror = z
  .object({
    id: Id,
    url: string('The source: a Skillpass, or an index of skills.', 'https://skills.example.com/'),
    organization: Username,
    lastRunAt: Instant.nullable().describe('Start of the last run. Null before the first.'),
    result: z
      .string()
      .nullable()
      .meta(doc('Result of the last run. Null until it ends.', '1 updated, 0 withdrawn')),
    problems: strings('What the mirror refuses, and why.', ['deploy is gone from the source.']),
  })
  .meta({ id: 'Mirror', description: 'A source whose skills an organization publishes too.' })

const errors = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const
const tag = 'Organizations'

/** Mirrors of an organization, which the operator adds (spec/registry.md#mirrors). */
export const mirrorsContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/organizations/:username/mirrors',
    summary: 'List the mirrors of an organization',
    description: 'Lists the sources that the organization follows. Requires a member.',
    pathParams: OrganizationPath,
    responses: { 200: listOf(Mirror), ...errorResponses(...errors) },
    metadata: metadata({ auth: 'apiKey', access: 'read', limit: 'read', tag }),
  },
  run: {
    method: 'POST',
    path: '/api/v1/organizations/:username/mirrors/:id/run',
    summary: 'Run a mirror',
    description: 'Starts a comparison of all skills within seconds. Requires an owner.',
    pathParams: OrganizationPath.extend({ id: Id.describe('Id of the mirror.') }),
    body: c.noBody(),
    responses: {
      200: z.object({ data: Mirror }),
      ...errorResponses('VALIDATION_ERROR', ...errors),
    },
    metadata: metadata({ auth: 'apiKey', limit: 'write', tag, idempotent: true }),
  },
})
