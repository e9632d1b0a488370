import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { string } from '../string.ts'
import { words } from '../text.ts'
import { errorResponses, memoryResponses, skillCodes } from './errors.ts'
import { Count } from './fields.ts'
import { limit, optional } from './query-fields.ts'
import { versionQuery } from './skill-fields.ts'

const c = initContract()

/** Identifies the form of an index; nothing need stand there (Agent Skills Discovery 0.2.0). */
export const discoverySchema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

const name = string('Slug of the skill.', demo.skill.slug)
const description = string('What it does and when to use it.', 'Fills in the fields of a PDF form.')

const left = {
  total: Count.meta({ description: 'Skills of the scope, those that are left out included.' }),
  note: string(
    'What is left out, and how to get it; absent where nothing is.',
    '50 of 120 skills, the most starred first.',
  ).optional(),
}

/** Index of the skills that an installer may take, as Agent Skills Discovery 0.2.0 has it. */
export const SkillsIndex = z
  .object({
    $schema: z.literal(discoverySchema),
    skills: z.array(
      z.object({
        name,
        type: z
          .enum(['skill-md', 'archive'])
          .meta({ description: 'A skill of one file, or an archive of its folder.' }),
        description,
        url: string(
          'Path of the file.',
          '/report-writer/skills/pdf-form-filler/.well-known/agent-skills/pdf-form-filler/SKILL.md?version=1',
        ),
        digest: string(
          '`sha256:` and the SHA-256 of the file, in hex.',
          'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        ),
      }),
    ),
    ...left,
  })
  .meta({ id: 'SkillsIndex', description: 'Skills that stock installers may take.' })

/** An index of skills as version 0.1.0 has it: no digests, and every file is asked for by itself. */
export const LegacySkillsIndex = z
  .object({
    skills: z.array(
      z.object({
        name,
        description,
        files: z
          .array(z.string())
          .meta({ description: 'Paths within the skill.', example: ['SKILL.md'] }),
      }),
    ),
    ...left,
  })
  .meta({ id: 'LegacySkillsIndex', description: 'The index of version 0.1.0.' })

const FoundSkill = z.object({
  id: string(
    'Full address of the skill.',
    'http://localhost:3000/report-writer/skills/pdf-form-filler',
  ),
  name,
  source: string(
    'Full address of its repository, which installs from here.',
    'http://localhost:3000/report-writer/skills',
  ),
  description,
})

const download = metadata({
  auth: 'none',
  limit: 'download',
  tag: 'Installers',
  isForeign: true,
})

const segment = (description: string, example: string) =>
  z.string().min(1).max(200).meta({ description, example })

const owner = { owner: segment('Owner of the repositories.', demo.agent.username) }
const repo = {
  ...owner,
  repo: segment('Name of the repository, or `repo@skill`.', demo.repository.name),
}
const skill = { ...repo, skill: segment('Slug of the skill.', demo.skill.slug) }

const form = {
  form: z
    .enum(['agent-skills', 'skills'])
    .meta({ description: 'Form of the index: version 0.2.0 or 0.1.0.', example: 'agent-skills' }),
}

const ownFile = {
  name: segment('Name of the skill.', 'skillpass'),
  file: segment('Path within the skill.', 'SKILL.md'),
}

/** Express gives the segments of a path that may hold slashes. */
const joined = (value: unknown) => (Array.isArray(value) ? value.join('/') : value)

const file = {
  name: segment('Slug of the skill.', demo.skill.slug),
  file: z.preprocess(joined, z.string().min(1)).meta({
    description: 'Path within the skill; its slashes stay as they are.',
    example: 'SKILL.md',
  }),
}

const version = z.object({ version: versionQuery })

const markdown = c.otherResponse({ contentType: 'text/markdown', body: z.string() })
const ownMissing = memoryResponses('NOT_FOUND')
const missing = errorResponses('NOT_FOUND')
const gone = errorResponses(...skillCodes)
const noFile = errorResponses('VALIDATION_ERROR', ...skillCodes)
const anyIndex = z.union([SkillsIndex, LegacySkillsIndex])

const indexNote =
  'At most 50 skills, the most starred first: an installer fetches every entry before it asks which to install.'

/** What stock installers ask for at the root: the skills of the service itself, and search. */
export const installersContract = c.router({
  index: {
    method: 'GET',
    path: '/.well-known/agent-skills/index.json',
    summary: 'Index the skills of this service',
    description:
      'How to resolve, publish and give feedback, as skills to install; not the catalogue. `npx skills add` asks here. The list is empty for a client that an index below has refused within five seconds: an older installer would install these skills in place of the one that its user named.',
    responses: { 200: SkillsIndex, 304: c.noBody(), ...memoryResponses() },
    metadata: download,
  },
  legacyIndex: {
    method: 'GET',
    path: '/.well-known/skills/index.json',
    summary: 'Index the skills of this service, version 0.1.0',
    description: 'The same for installers that know the older form alone.',
    responses: { 200: LegacySkillsIndex, 304: c.noBody(), ...memoryResponses() },
    metadata: download,
  },
  file: {
    method: 'GET',
    path: '/.well-known/agent-skills/:name/:file',
    summary: 'Fetch a file of a skill of this service',
    description: 'What the index names.',
    pathParams: z.object(ownFile),
    responses: { 200: markdown, 304: c.noBody(), ...ownMissing },
    metadata: download,
  },
  legacyFile: {
    method: 'GET',
    path: '/.well-known/skills/:name/:file',
    summary: 'Fetch a file of a skill of this service, version 0.1.0',
    description: 'The same where the older index has its files.',
    pathParams: z.object(ownFile),
    responses: { 200: markdown, 304: c.noBody(), ...ownMissing },
    metadata: download,
  },
  find: {
    method: 'GET',
    path: '/api/search',
    summary: 'Find skills, as `npx skills find` asks',
    description:
      'Search in the form of that command, which `SKILLS_API_URL` leads here. Skills that no installer takes are left out.',
    query: z.object({
      q: words(bounds.query).meta({ description: 'Words to look for.', example: 'pdf form' }),
      limit: limit(bounds.pageSize.max, bounds.pageSize.default),
      owner: optional(z.string().max(100)).meta({ description: 'Owner of the repository.' }),
    }),
    responses: {
      200: z
        .object({ skills: z.array(FoundSkill) })
        .meta({ id: 'FoundSkills', description: 'Skills that were found, best first.' }),
      ...memoryResponses('VALIDATION_ERROR'),
    },
    metadata: metadata({ auth: 'none', limit: 'read', tag: 'Installers', isForeign: true }),
  },
})

/** What stock installers ask for below the address of an owner, a repository or a skill. */
export const scopesContract = c.router({
  ownerIndex: {
    method: 'GET',
    path: '/:owner/.well-known/:form/index.json',
    summary: 'Index the skills of an owner',
    description: indexNote,
    pathParams: z.object({ ...owner, ...form }),
    responses: { 200: anyIndex, 304: c.noBody(), ...missing },
    metadata: download,
  },
  repositoryIndex: {
    method: 'GET',
    path: '/:owner/:repo/.well-known/:form/index.json',
    summary: 'Index the skills of a repository',
    description: `${indexNote} With \`repo@skill\` that skill alone.`,
    pathParams: z.object({ ...repo, ...form }),
    responses: { 200: anyIndex, 304: c.noBody(), 308: c.noBody(), ...gone },
    metadata: download,
  },
  skillIndex: {
    method: 'GET',
    path: '/:owner/:repo/:skill/.well-known/:form/index.json',
    summary: 'Index a skill',
    description: 'One entry: what `npx skills add` needs to install the skill.',
    pathParams: z.object({ ...skill, ...form }),
    responses: { 200: anyIndex, 304: c.noBody(), 308: c.noBody(), ...gone },
    metadata: download,
  },
  ownerFile: {
    method: 'GET',
    path: '/:owner/.well-known/:form/:name/*file',
    summary: 'Fetch a file of a skill of an owner',
    description: 'A file of a skill that the index of the owner names.',
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
    summary: 'Fetch a file of a skill of a repository',
    description: 'A file of a skill that the index of the repository names.',
    pathParams: z.object({ ...repo, ...form, ...file }),
    query: version,
    responses: { 200: markdown, 304: c.noBody(), 308: c.noBody(), ...noFile },
    metadata: download,
  },
  skillFile: {
    method: 'GET',
    path: '/:owner/:repo/:skill/.well-known/:form/:name/*file',
    summary: 'Fetch a file of a skill as it is installed',
    description:
      '`SKILL.md` is the readme with its front matter completed: the name is the slug, and the description is there. A readme whose front matter says so already comes byte for byte. `ETag` is the digest that the index names. Every other file, and `archive.tar.gz` and `archive.zip`, lead to where their bytes are.',
    pathParams: z.object({ ...skill, ...form, ...file }),
    query: version,
    responses: { 200: markdown, 304: c.noBody(), 308: c.noBody(), ...noFile },
    metadata: download,
  },
})
