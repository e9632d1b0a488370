import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { string } from '../string.ts'
import { words } from '../text.ts'
import { errorResponses, memoryResponses } from './errors.ts'
import { limit, optional } from './query-fields.ts'

const c = initContract()

const slug = string('Slug of the skill.', demo.skill.slug)
const handle = string('Owner of the repository.', demo.agent.username)
const displayName = string('Name of the skill.', demo.skill.name)
const summary = string('What it does and when to use it.', 'Fills in the fields of a PDF form.')
const version = string('A version by number, in the form that semver asks for.', '1.0.0')
const time = (what: string) =>
  z.int().meta({
    description: `${what}, milliseconds since 1970.`,
    example: 1_795_253_460_000,
    format: 'int64',
  })

const Version = z.object({
  version,
  createdAt: time('When it was published'),
  changelog: string('Always empty.', ''),
})

const Found = z.object({
  slug,
  ownerHandle: handle,
  displayName,
  summary,
  version,
  score: z.number().meta({ description: 'Falls from one result to the next.', example: 1 }),
  updatedAt: time('When it was changed last'),
  owner: z.object({ handle, displayName: handle }),
})

const Meta = z
  .object({
    skill: z.object({
      slug,
      displayName,
      summary,
      tags: z.object({ latest: version }),
      stats: z.object({ stars: z.int().meta({ description: 'Stars here.', example: 3 }) }),
      createdAt: time('When it was published first'),
      updatedAt: time('When it was changed last'),
    }),
    latestVersion: Version,
    owner: z.object({ handle, displayName: handle }),
    moderation: z.object({
      isSuspicious: z
        .boolean()
        .meta({ description: 'Whether the lint warns of it; the command then asks first.' }),
      isMalwareBlocked: z.literal(false),
      verdict: z.enum(['clean', 'suspicious']),
    }),
  })
  .meta({ id: 'ClawhubSkill', description: 'A skill as `clawhub` asks for it.' })

const Release = z
  .object({ version: Version, skill: z.object({ slug, displayName }) })
  .meta({ id: 'ClawhubVersion', description: 'A version as `clawhub` asks for it.' })

const ownerHandle = optional(z.string().max(100)).meta({
  description:
    'Owner of the repository. Without it nothing is found: a slug is of one owner alone.',
  example: demo.agent.username,
})
const slugPath = z.string().min(1).max(100).meta({ description: 'Slug.', example: demo.skill.slug })
const asked = z.string().regex(/^[1-9]\d{0,8}(?:\.0\.0)?$/, 'must be a number, as 2 or 2.0.0')
const versionAsked = asked.meta({ description: 'A version.', example: '1.0.0' })

const read = metadata({ auth: 'none', limit: 'download', tag: 'Installers', isForeign: true })
const missing = memoryResponses('VALIDATION_ERROR', 'NOT_FOUND')

/** The read part of what the command `clawhub` asks of a registry. Its API stands below `/clawhub`. */
export const clawhubContract = c.router({
  discovery: {
    method: 'GET',
    path: '/.well-known/clawhub.json',
    summary: 'Tell `clawhub` where its API is',
    description: '`CLAWHUB_SITE` leads the command here.',
    responses: {
      200: z.object({
        apiBase: string(
          'Address that the paths of its API stand below.',
          'http://localhost:3000/clawhub',
        ),
      }),
      ...memoryResponses(),
    },
    metadata: read,
  },
  search: {
    method: 'GET',
    path: '/clawhub/api/v1/search',
    summary: 'Search, as `clawhub search` asks',
    description: 'Skills that no installer takes are left out.',
    query: z.object({
      q: words(bounds.query).meta({ description: 'Words to look for.', example: 'pdf form' }),
      limit: limit(bounds.pageSize.max, bounds.pageSize.default),
    }),
    responses: {
      200: z.object({ results: z.array(Found) }),
      ...memoryResponses('VALIDATION_ERROR'),
    },
    metadata: metadata({ auth: 'none', limit: 'read', tag: 'Installers', isForeign: true }),
  },
  get: {
    method: 'GET',
    path: '/clawhub/api/v1/skills/:slug',
    summary: 'Get a skill, as `clawhub install` asks',
    description: 'Of several with the slug in repositories of the owner, the one with most stars.',
    pathParams: z.object({ slug: slugPath }),
    query: z.object({ ownerHandle }),
    responses: { 200: Meta, ...missing },
    metadata: read,
  },
  version: {
    method: 'GET',
    path: '/clawhub/api/v1/skills/:slug/versions/:version',
    summary: 'Get a version, as `clawhub install --version` asks',
    description: 'Whether there is such a version.',
    pathParams: z.object({ slug: slugPath, version: versionAsked }),
    query: z.object({ ownerHandle }),
    responses: { 200: Release, ...errorResponses('VALIDATION_ERROR', 'NOT_FOUND') },
    metadata: read,
  },
  resolve: {
    method: 'GET',
    path: '/clawhub/api/v1/resolve',
    summary: 'Resolve the latest version, as `clawhub update` asks',
    description:
      'The command knows what it has installed by a file of its own, so nothing is matched by hash.',
    query: z.object({ slug: slugPath, ownerHandle, hash: optional(z.string().max(200)) }),
    responses: {
      200: z.object({
        match: z.null().meta({ description: 'Always null.' }),
        latestVersion: z.object({ version }),
      }),
      ...missing,
    },
    metadata: read,
  },
  download: {
    method: 'GET',
    path: '/clawhub/api/v1/download',
    summary: 'Download a version, as `clawhub install` asks',
    description: 'Leads to the zip archive of the skill.',
    query: z.object({ slug: slugPath, ownerHandle, version: optional(versionAsked) }),
    responses: { 308: c.noBody(), ...missing },
    metadata: read,
  },
})
