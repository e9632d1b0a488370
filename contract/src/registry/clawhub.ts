import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { words } from '../text.ts'
import { errorResponses, memoryResponses } from './errors.ts'
import { limit, optional } from './query-fields.ts'

const named = { slug: z.string(), displayName: z.string() }
const owner = z.object({ handle: z.string(), displayName: z.string() })
/** Version number in semver form: `1.0.0`. */
const version = z.string()
/** Milliseconds since 1970. */
const time = z.int()

const Version = z.object({ version, createdAt: time, changelog: z.string() })

const Found = z.object({
  ...named,
  ownerHandle: z.string(),
  summary: z.string(),
  version,
  score: z.number(),
  updatedAt: time,
  owner,
})

const Meta = z.object({
  skill: z.object({
    ...named,
    summary: z.string(),
    tags: z.object({ latest: version }),
    stats: z.object({ stars: z.int() }),
    createdAt: time,
    updatedAt: time,
  }),
  latestVersion: Version,
  owner,
  moderation: z.object({
    /** Whether the lint has a warning. `clawhub install` then asks for confirmation. */
    isSuspicious: z.boolean(),
    isMalwareBlocked: z.literal(false),
    verdict: z.enum(['clean', 'suspicious']),
  }),
})

const Release = z.object({ version: Version, skill: z.object(named) })

/**
 * Optional in the protocol. Without it nothing is found, because slugs are unique only per
 * repository.
 */
const ownerHandle = optional(z.string().max(100))
const slug = z.string().min(1).max(100)
const sentVersion = z
  .string()
  .regex(/^[1-9]\d{0,8}(?:\.0\.0)?$/, 'must be a version number such as 2 or 2.0.0')

const read = metadata({ auth: 'none', takesApiKey: true, limit: 'download' })
const missing = memoryResponses('VALIDATION_ERROR', 'NOT_FOUND')

/** The read endpoints of the `clawhub` command's protocol, below `/clawhub`. */
export const clawhubContract = c.router({
  /** The command reads this from the site in `CLAWHUB_SITE`. */
  discovery: {
    method: 'GET',
    path: '/.well-known/clawhub.json',
    responses: { 200: z.object({ apiBase: z.string() }), ...memoryResponses() },
    metadata: read,
  },
  /** `clawhub login --token KEY` checks the key here before it stores it. */
  whoami: {
    method: 'GET',
    path: '/clawhub/api/v1/whoami',
    responses: {
      200: z.object({ user: z.object({ handle: z.string() }) }),
      ...errorResponses('UNAUTHORIZED'),
    },
    metadata: metadata({ auth: 'apiKey', access: 'read', limit: 'read' }),
  },
  search: {
    method: 'GET',
    path: '/clawhub/api/v1/search',
    query: z.object({
      q: words(bounds.query),
      limit: limit(bounds.pageSize.max, bounds.pageSize.default),
    }),
    responses: {
      200: z.object({ results: z.array(Found) }),
      ...memoryResponses('VALIDATION_ERROR'),
    },
    metadata: metadata({ auth: 'none', takesApiKey: true, limit: 'read' }),
  },
  /** If several repositories of the owner have the slug, returns the skill with the most stars. */
  get: {
    method: 'GET',
    path: '/clawhub/api/v1/skills/:slug',
    pathParams: z.object({ slug }),
    query: z.object({ ownerHandle }),
    responses: { 200: Meta, ...missing },
    metadata: read,
  },
  version: {
    method: 'GET',
    path: '/clawhub/api/v1/skills/:slug/versions/:version',
    pathParams: z.object({ slug, version: sentVersion }),
    query: z.object({ ownerHandle }),
    responses: { 200: Release, ...errorResponses('VALIDATION_ERROR', 'NOT_FOUND') },
    metadata: read,
  },
  /**
   * The command identifies installed skills by its own lock file, so matching by hash is not
   * supported.
   */
  resolve: {
    method: 'GET',
    path: '/clawhub/api/v1/resolve',
    query: z.object({ slug, ownerHandle, hash: optional(z.string().max(200)) }),
    responses: {
      200: z.object({ match: z.null(), latestVersion: z.object({ version }) }),
      ...missing,
    },
    metadata: read,
  },
  /** Redirects to the zip archive of the skill. */
  download: {
    method: 'GET',
    path: '/clawhub/api/v1/download',
    query: z.object({ slug, ownerHandle, version: optional(sentVersion) }),
    responses: { 308: c.noBody(), ...missing },
    metadata: read,
  },
})
