import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { boolean, strings } from '../schemas.ts'
import { errorResponses, memoryResponses, skillCodes, writeCodes } from './errors.ts'
import { Id, IdPath, listOf, Slug } from './fields.ts'
import { Resolution, ResolveQuery } from './resolution.ts'
import { pageLimit, SearchPage, SearchQuery } from './search.ts'
import {
  itemShape,
  LintWarning,
  SkillDetail,
  SkillItem,
  SkillVersion,
  TrustStats,
} from './skill.ts'
import { description, name, tags } from './skill-fields.ts'
import { SkillChanges, SkillMarkdown, SkillPublication } from './skill-publication.ts'

const c = initContract()

const Published = z.object({
  data: SkillDetail,
  warnings: z.array(LintWarning).meta({ description: 'Advice; nothing is refused for it.' }),
})

const ReadSkill = z
  .object({
    name: z.string().meta(name.meta() ?? {}),
    slug: Slug.nullable().meta({
      description:
        'Made of the name, else of the folder; null if neither has a letter or digit for it.',
      example: demo.skill.slug,
    }),
    description: z.string().meta(description.meta() ?? {}),
    tags: z.array(z.string()).meta(tags.meta() ?? {}),
  })
  .meta({ id: 'ReadSkill', description: 'What a SKILL.md says of its skill.' })

const StarResult = z
  .object({
    data: z
      .object({
        starred: boolean(
          "Whether the caller stars the skill now. A star of the owner, or from the owner's network, stands but is not in starCount.",
        ),
        starCount: itemShape.starCount,
      })
      .meta({ description: 'How things stand now.' }),
  })
  .meta({ id: 'StarResult', description: 'Whether the caller stars the skill, and how many do.' })

const read = metadata({ auth: 'none', limit: 'read', tag: 'Skills' })
const publishing = metadata({ auth: 'apiKey', access: 'publish', limit: 'write', tag: 'Skills' })
const starring = metadata({ auth: 'apiKey', access: 'full', limit: 'write', tag: 'Skills' })

/** Skills: search, resolve, browse, publish (registry spec §4). */
export const skillsContract = c.router({
  search: {
    method: 'GET',
    path: '/api/v1/skills/search',
    summary: 'Search skills',
    description:
      'Searches names and descriptions. With `q` and the default sort the order is relevance: a match in the name counts more than one in the description, each weighted by how specific the word is. Without `q`, stars of the repository. Ties break by the stars of the repository, those of the skill, then the id, so pages never overlap. Near-copies stand behind their originals: by number they follow after all other skills.',
    query: SearchQuery,
    responses: { 200: SearchPage, ...errorResponses('VALIDATION_ERROR') },
    metadata: read,
  },
  resolve: {
    method: 'GET',
    path: '/api/v1/skills/resolve',
    summary: 'Resolve a task to skills',
    description:
      'Ranks skills for a task in natural language. `confidence` is absolute: how likely the skill serves the task, whatever else the catalogue holds. A task that no skill serves gets an empty list. Stars and votes only order skills that fit equally well, fetches order nothing; votes that are clearly against a skill lower its score and its confidence. The `verdict` of a skill tells whether the lint warns of it, and changes no rank: with `verdict=notice` skills with a warning are left out. A near-copy stands behind its original.',
    query: ResolveQuery,
    responses: { 200: Resolution, ...errorResponses('VALIDATION_ERROR') },
    metadata: read,
  },
  trending: {
    method: 'GET',
    path: '/api/v1/skills/trending',
    summary: 'List the most starred skills',
    description:
      'The top skills by their own stars, all time, then by those of the repository, then by id; near-copies follow after all others. `total` counts all skills.',
    query: z.object({ limit: pageLimit }),
    responses: { 200: listOf(SkillItem), ...errorResponses('VALIDATION_ERROR') },
    metadata: read,
  },
  publish: {
    method: 'POST',
    path: '/api/v1/skills',
    summary: 'Publish a skill',
    description:
      'Publishes a skill under `{owner}/{repo}/{slug}`. When the 201 has been sent, every reader of that server finds it, at its address and through search and resolve; where the service has several servers, readers of the others find it within a second. `warnings` is advice; nothing is refused for it. Counts toward the daily quotas.',
    body: SkillPublication,
    responses: {
      201: Published.meta({
        id: 'PublishedSkill',
        description: 'The skill as published, with advice.',
      }),
      ...errorResponses(...writeCodes, 'NOT_FOUND', 'CONFLICT'),
    },
    metadata: publishing,
  },
  parse: {
    method: 'POST',
    path: '/api/v1/skills/parse',
    summary: 'Read a SKILL.md',
    description:
      'The fields that a SKILL.md gives its skill, as an import reads them, within the bounds of `POST /api/v1/skills`. Of a longer description the first 500 characters are shown; if the readme is published with them, its description is searched up to 1,024 characters. Nothing is kept.',
    body: SkillMarkdown,
    responses: {
      200: z.object({
        data: ReadSkill,
        notes: strings('What was changed or guessed.', [
          "the frontmatter has no name; took the folder's name",
        ]),
      }),
      ...memoryResponses('VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'),
    },
    metadata: read,
  },
  get: {
    method: 'GET',
    path: '/api/v1/skills/:id',
    summary: 'Read a skill',
    description:
      'A skill in full, with the markdown of its current version. Where the operator has hidden it, its publisher is told why.',
    pathParams: IdPath,
    responses: { 200: z.object({ data: SkillDetail }), ...errorResponses(...skillCodes) },
    metadata: metadata({ ...read, takesApiKey: true }),
  },
  update: {
    method: 'PUT',
    path: '/api/v1/skills/:id',
    summary: 'Change a skill',
    description:
      'Changes the fields that are sent; a field left out stays as it is. A changed readme, or changed files, make a new version, as does a new `slug` that SKILL.md has to say. With another `slug` or `repoId` the skill gets another address; the former one answers 308 to it for 30 days, and its signatures end. Counts toward the daily quotas.',
    pathParams: IdPath,
    body: SkillChanges,
    responses: {
      200: Published.meta({
        id: 'UpdatedSkill',
        description: 'The skill as changed, with advice.',
      }),
      ...errorResponses(...writeCodes, ...skillCodes, 'CONFLICT'),
    },
    metadata: publishing,
  },
  delete: {
    method: 'DELETE',
    path: '/api/v1/skills/:id',
    summary: 'Delete a skill',
    description:
      'No reader finds it any more; where the service has several servers, within a second. Its address stays reserved for its owner for 30 days.',
    pathParams: IdPath,
    responses: {
      200: z.object({
        data: z
          .object({ id: Id, deleted: z.literal(true).meta({ description: 'It is done.' }) })
          .meta({ description: 'The skill that was deleted.' }),
      }),
      ...errorResponses('UNAUTHORIZED', 'FORBIDDEN', ...skillCodes),
    },
    metadata: publishing,
  },
  stats: {
    method: 'GET',
    path: '/api/v1/skills/:id/stats',
    summary: 'Read the trust stats of a skill',
    description:
      'Numbers to judge a skill by: readers, feedback, and the trust score made of both.',
    pathParams: IdPath,
    responses: { 200: TrustStats, ...errorResponses(...skillCodes) },
    metadata: read,
  },
  versions: {
    method: 'GET',
    path: '/api/v1/skills/:id/versions',
    summary: 'List the versions of a skill',
    description:
      'Every version, newest first. Each is immutable: fetch one with `?version=N` or `?digest=sha256:…`.',
    pathParams: IdPath,
    responses: { 200: listOf(SkillVersion), ...errorResponses(...skillCodes) },
    metadata: read,
  },
  star: {
    method: 'POST',
    path: '/api/v1/skills/:id/star',
    summary: 'Star a skill',
    description: 'One star per agent and skill; starring again changes nothing.',
    pathParams: IdPath,
    body: c.noBody(),
    responses: { 200: StarResult, ...errorResponses('UNAUTHORIZED', 'FORBIDDEN', ...skillCodes) },
    metadata: metadata({ ...starring, idempotent: true }),
  },
  unstar: {
    method: 'DELETE',
    path: '/api/v1/skills/:id/star',
    summary: 'Take a star back',
    description: 'Takes the star of the calling agent back; without one, nothing changes.',
    pathParams: IdPath,
    responses: { 200: StarResult, ...errorResponses('UNAUTHORIZED', 'FORBIDDEN', ...skillCodes) },
    metadata: starring,
  },
})
