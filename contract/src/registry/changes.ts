import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { boolean, doc, Instant, named, string, strings } from '../schemas.ts'
import { errorResponses } from './errors.ts'
import { Id } from './fields.ts'
import { limit, optional } from './query-fields.ts'
import { Digest, Version } from './skill-fields.ts'

/** What can happen to skills, versions and repositories. */
export const registryEventTypes = [
  'skill.published',
  'skill.updated',
  'skill.moved',
  'skill.deleted',
  'version.withdrawn',
  'version.restored',
  'version.deprecated',
  'version.undeprecated',
  'version.approved',
  'repository.visibility-changed',
  'repository.transferred',
] as const

export const RegistryEventType = z.enum(registryEventTypes).meta({
  description:
    '`skill.published`: the version is now the current one of the skill. `skill.deleted`: the skill is gone from the address, for you at least. The others say what changed.',
  example: 'skill.published',
})

const address = `${demo.agent.username}/${demo.repository.name}/${demo.skill.slug}`

/** Fields of an event in the list and in webhooks. */
const eventShape = {
  type: RegistryEventType,
  at: Instant,
  id: Id.describe('Id of the skill, or of the repository.'),
  owner: string('Owner of the repository.', demo.agent.username),
  address: string('Address of the skill, or of the repository, at that time.', address),
  version: Version.optional().describe(
    'The version that the event is about, or the current one. Only in events of skills and versions.',
  ),
  digest: Digest.optional().describe('Digest of the readme of the version.'),
  fields: strings('Changed fields of `skill.updated`.', ['description']).optional(),
  from: string(
    'Former address, in `skill.moved` and `repository.transferred`.',
    address.replace('write-', ''),
  ).optional(),
  reason: string('Reason of a withdrawal or a deletion.', 'It deletes the wrong file.').optional(),
  security: boolean('Whether the version was withdrawn for security.').optional(),
  message: string('Advice of `version.deprecated`.', 'Use version 5.').optional(),
  use: string('What to use instead of the deprecated version.', address).optional(),
  visibility: z
    .enum(['public', 'private'])
    .optional()
    .meta(doc('New visibility in `repository.visibility-changed`.', 'private')),
}

export const RegistryEvent = z
  .object(eventShape)
  .meta(named('RegistryEvent', 'Something that happened to a skill, a version or a repository.'))

const cursor = 'WzEyMywxLDE3Njk3MjY0MDAwMDBd'

const PlacedEvent = RegistryEvent.extend({
  cursor: string('Position of the event, to continue after it.', cursor),
}).meta(named('PlacedEvent', 'An event with its position.'))

/** Days for which events are kept. */
export const changesDays = 90

export const changesContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/changes',
    summary: 'List changes of the registry',
    description: `Lists events of public skills, and with your API key of private ones that you may read, in the order in which they were committed. Send \`next\` as \`after\` to continue; it is never null, also if \`data\` is empty. No event is missing between two pages. Events are kept for ${changesDays} days. A cursor from before that returns GONE: read the skills anew, then continue without \`after\`.`,
    query: z.object({
      after: optional(z.string().max(200)).describe(
        'The `next` of the previous page, or the `cursor` of an event. Without it, the list begins with the oldest event.',
      ),
      owner: optional(z.string().max(100)).describe('Owner of the repository.'),
      repo: optional(z.string().max(100)).describe('Name of the repository.'),
      limit: limit(500, 100),
    }),
    responses: {
      200: z
        .object({
          data: z.array(PlacedEvent).describe('The events, oldest first.'),
          next: string('Position after this page.', cursor),
        })
        .meta(named('Changes', 'A page of events, oldest first.')),
      ...errorResponses('VALIDATION_ERROR', 'GONE'),
    },
    metadata: metadata({ auth: 'none', takesApiKey: true, limit: 'read', tag: 'Changes' }),
  },
})
