import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { words } from '../text.ts'
import { errorResponses, memoryResponses, skillCodes, versionCodes } from './errors.ts'
import { Count } from './fields.ts'
import { limit, optional, wildcard } from './query-fields.ts'
import { Verdict } from './skill.ts'
import { versionQuery } from './skill-fields.ts'

/** Schema identifier of an index (Agent Skills Discovery 0.2.0). It need not resolve. */
export const discoverySchema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

const described = { name: z.string(), description: z.string() }

const listed = { ...described, verdict: Verdict }

/** Number of skills in the scope, and a note about omitted ones. */
const summary = { total: Count, note: z.string().optional() }

/** Index of the skills to install (Agent Skills Discovery 0.2.0). */
export const SkillsIndex = z.object({
  $schema: z.literal(discoverySchema),
  skills: z.array(
    z.object({
      ...listed,
      type: z.enum(['skill-md', 'archive']),
      url: z.string(),
      digest: z.string(),
    }),
  ),
  ...summary,
})

/** Index of version 0.1.0: without digests. Installers fetch each file separately. */
export const LegacySkillsIndex = z.object({
  skills: z.array(z.object({ ...listed, files: z.array(z.string()) })),
  ...summary,
})

/**
 * A search result with the full URLs of the skill and its repository, so that it installs from this
 * service.
 */
const FoundSkill = z.object({ ...described, id: z.string(), source: z.string() })

const download = metadata({ auth: 'none', takesApiKey: true, limit: 'download' })

const segment = z.string().min(1).max(200)
const owner = { owner: segment }
/** The repository can be `repo@skill`. */
const repo = { ...owner, repo: segment }
const skill = { ...repo, skill: segment }
/** Index version: 0.2.0 (`agent-skills`) or 0.1.0 (`skills`). */
const form = { form: z.enum(['agent-skills', 'skills']) }

const ownFile = { name: segment, file: segment }

const file = { name: segment, file: wildcard }

const version = z.object({ version: versionQuery })

const markdown = c.otherResponse({ contentType: 'text/markdown', body: z.string() })
const ownMissing = memoryResponses('NOT_FOUND')
const missing = errorResponses('NOT_FOUND')
const gone = errorResponses(...skillCodes)
const noFile = errorResponses(...versionCodes)
const anyIndex = z.union([SkillsIndex, LegacySkillsIndex])

/** Endpoints of stock installers at the root: the service's own skills, and search. */
export const installersContract = c.router({
  /**
   * Skills that explain how to resolve, publish and give feedback. The catalogue is not included.
   * If a client got an error from a more specific index within the last five seconds, this index is
   * empty. Otherwise, an older installer would fall back to it and install these skills instead of
   * the requested one.
   */
  index: {
    method: 'GET',
    path: '/.well-known/agent-skills/index.json',
    responses: { 200: SkillsIndex, 304: c.noBody(), ...memoryResponses() },
    metadata: download,
  },
  legacyIndex: {
    method: 'GET',
    path: '/.well-known/skills/index.json',
    responses: { 200: LegacySkillsIndex, 304: c.noBody(), ...memoryResponses() },
    metadata: download,
  },
  file: {
    method: 'GET',
    path: '/.well-known/agent-skills/:name/:file',
    pathParams: z.object(ownFile),
    responses: { 200: markdown, 304: c.noBody(), ...ownMissing },
    metadata: download,
  },
  legacyFile: {
    method: 'GET',
    path: '/.well-known/skills/:name/:file',
    pathParams: z.object(ownFile),
    responses: { 200: markdown, 304: c.noBody(), ...ownMissing },
    metadata: download,
  },
  /** Used by `npx skills find` with `SKILLS_API_URL`. Omits skills that no installer supports. */
  find: {
    method: 'GET',
    path: '/api/search',
    query: z.object({
      q: words(bounds.query),
      limit: limit(bounds.pageSize.max, bounds.pageSize.default),
      owner: optional(z.string().max(100)),
    }),
    responses: {
      200: z.object({ skills: z.array(FoundSkill) }),
      ...memoryResponses('VALIDATION_ERROR'),
    },
    metadata: metadata({ auth: 'none', takesApiKey: true, limit: 'read' }),
  },
})

/**
 * Endpoints of stock installers below the address of an owner, a repository or a skill. An index
 * lists at most 50 skills, those with the most stars first, because installers fetch every entry
 * before they ask the user.
 */
export const scopesContract = c.router({
  ownerIndex: {
    method: 'GET',
    path: '/:owner/.well-known/:form/index.json',
    pathParams: z.object({ ...owner, ...form }),
    responses: { 200: anyIndex, 304: c.noBody(), ...missing },
    metadata: download,
  },
  repositoryIndex: {
    method: 'GET',
    path: '/:owner/:repo/.well-known/:form/index.json',
    pathParams: z.object({ ...repo, ...form }),
    responses: { 200: anyIndex, 304: c.noBody(), 308: c.noBody(), ...gone },
    metadata: download,
  },
  skillIndex: {
    method: 'GET',
    path: '/:owner/:repo/:skill/.well-known/:form/index.json',
    pathParams: z.object({ ...skill, ...form }),
    responses: { 200: anyIndex, 304: c.noBody(), 308: c.noBody(), ...gone },
    metadata: download,
  },
  ownerFile: {
    method: 'GET',
    path: '/:owner/.well-known/:form/:name/*file',
    pathParams: z.object({ ...owner, ...form, ...file }),
    query: version,
    responses: {
      200: markdown,
      304: c.noBody(),
      308: c.noBody(),
      ...errorResponses('VALIDATION_ERROR', 'NOT_FOUND', 'GONE'),
    },
    metadata: download,
  },
  repositoryFile: {
    method: 'GET',
    path: '/:owner/:repo/.well-known/:form/:name/*file',
    pathParams: z.object({ ...repo, ...form, ...file }),
    query: version,
    responses: { 200: markdown, 304: c.noBody(), 308: c.noBody(), ...noFile },
    metadata: download,
  },
  /**
   * `SKILL.md` is the readme with completed front matter: `name` is the slug, and `description` is
   * present. Other files, `archive.tar.gz` and `archive.zip` redirect to their URLs.
   */
  skillFile: {
    method: 'GET',
    path: '/:owner/:repo/:skill/.well-known/:form/:name/*file',
    pathParams: z.object({ ...skill, ...form, ...file }),
    query: version,
    responses: { 200: markdown, 304: c.noBody(), 308: c.noBody(), ...noFile },
    metadata: download,
  },
})
