import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { words } from '../text.ts'
import { errorResponses, memoryResponses, skillCodes } from './errors.ts'
import { Count } from './fields.ts'
import { limit, optional } from './query-fields.ts'
import { versionQuery } from './skill-fields.ts'

const c = initContract()

/** Identifies the form of an index; nothing need stand there (Agent Skills Discovery 0.2.0). */
export const discoverySchema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

const described = { name: z.string(), description: z.string() }

/** How many skills the scope has, and in words what is left out. */
const left = { total: Count, note: z.string().optional() }

/** Index of the skills that an installer may take, as Agent Skills Discovery 0.2.0 has it. */
export const SkillsIndex = z.object({
  $schema: z.literal(discoverySchema),
  skills: z.array(
    z.object({
      ...described,
      type: z.enum(['skill-md', 'archive']),
      url: z.string(),
      digest: z.string(),
    }),
  ),
  ...left,
})

/** An index of skills as version 0.1.0 has it: no digests, and every file is asked for by itself. */
export const LegacySkillsIndex = z.object({
  skills: z.array(z.object({ ...described, files: z.array(z.string()) })),
  ...left,
})

/** The full addresses of a skill and of its repository, which installs from here. */
const FoundSkill = z.object({ ...described, id: z.string(), source: z.string() })

const download = metadata({ auth: 'none', limit: 'download' })

const segment = z.string().min(1).max(200)
const owner = { owner: segment }
/** The repository may be `repo@skill`. */
const repo = { ...owner, repo: segment }
const skill = { ...repo, skill: segment }
/** Version 0.2.0 or 0.1.0 of the index. */
const form = { form: z.enum(['agent-skills', 'skills']) }

const ownFile = { name: segment, file: segment }

/** Express gives the segments of a path that may hold slashes. */
const joined = (value: unknown) => (Array.isArray(value) ? value.join('/') : value)

const file = { name: segment, file: z.preprocess(joined, z.string().min(1)) }

const version = z.object({ version: versionQuery })

const markdown = c.otherResponse({ contentType: 'text/markdown', body: z.string() })
const ownMissing = memoryResponses('NOT_FOUND')
const missing = errorResponses('NOT_FOUND')
const gone = errorResponses(...skillCodes)
const noFile = errorResponses('VALIDATION_ERROR', ...skillCodes)
const anyIndex = z.union([SkillsIndex, LegacySkillsIndex])

/** What stock installers ask for at the root: the skills of the service itself, and search. */
export const installersContract = c.router({
  /**
   * How to resolve, publish and give feedback, as skills to install; not the catalogue. Empty for a client that
   * an index below has refused within five seconds: an older installer would install these skills in place
   * of the one that its user named.
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
  /** `SKILLS_API_URL` leads `npx skills find` here. Skills that no installer takes are left out. */
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
    metadata: metadata({ auth: 'none', limit: 'read' }),
  },
})

/**
 * What stock installers ask for below the address of an owner, a repository or a skill. An index has at most 50
 * skills, the most starred first: an installer fetches every entry before it asks which to install.
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
      ...errorResponses('VALIDATION_ERROR', 'NOT_FOUND'),
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
   * `SKILL.md` is the readme with its front matter completed: the name is the slug, and the description is
   * there. Every other file, and `archive.tar.gz` and `archive.zip`, lead to where their bytes are.
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
