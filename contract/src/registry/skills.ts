import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { queryNumber } from '../query-number.ts'
import { c } from '../router.ts'
import { boolean, doc, named, strings } from '../schemas.ts'
import { errorResponses, memoryResponses, skillCodes, writeCodes } from './errors.ts'
import { Count, Id, IdPath, listOf, Slug } from './fields.ts'
import { withDefault } from './query-fields.ts'
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
import { description, name, tags, Version } from './skill-fields.ts'
import { SkillChanges, SkillMarkdown, SkillPublication } from './skill-publication.ts'
import { SkillTrial, TrialResult } from './trial.ts'

const Published = z.object({
  data: SkillDetail,
  warnings: z.array(LintWarning).describe('Advice from the lint. It never blocks a publication.'),
})

const ReadSkill = z
  .object({
    name: z.string().meta(name.meta() ?? {}),
    slug: Slug.nullable().meta({
      description:
        'Derived from the name, or from the folder. Null if neither contains a letter or digit.',
      example: demo.skill.slug,
    }),
    description: z.string().meta(description.meta() ?? {}),
    tags: z.array(z.string()).meta(tags.meta() ?? {}),
  })
  .meta({ id: 'ReadSkill', description: 'The fields of a skill as read from its SKILL.md.' })

const StarResult = z
  .object({
    data: z
      .object({
        starred: boolean(
          "Whether the caller's star is set. Stars from the owner or the owner's network are stored but not counted in `starCount`.",
        ),
        starCount: itemShape.starCount,
      })
      .describe('The state after the request.'),
  })
  .meta({ id: 'StarResult', description: "The caller's star and the number of stars." })

const DayUsage = z
  .object({
    day: z.iso.date().meta(doc('UTC day.', '2026-11-21')),
    version: Version,
    fetches: Count.describe('Number of clients that read its markdown.'),
    installs: Count.describe('Number of clients that downloaded its files.'),
  })
  .meta(named('DayUsage', 'Clients of one version on one day.'))

const read = metadata({ auth: 'none', takesApiKey: true, limit: 'read', tag: 'Skills' })
const publishing = metadata({ auth: 'apiKey', access: 'publish', limit: 'write', tag: 'Skills' })
const starring = metadata({ auth: 'apiKey', access: 'full', limit: 'write', tag: 'Skills' })

const starResponses = {
  200: StarResult,
  ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', ...skillCodes),
}

/** Skills: search, resolve, browse, publish (spec/registry.md#reads, spec/registry.md#writes). */
export const skillsContract = c.router({
  search: {
    method: 'GET',
    path: '/api/v1/skills/search',
    summary: 'Search skills',
    description:
      'Searches names and descriptions. With `q` and the default sort, results are ordered by relevance: a match in the name counts more than one in the description, and specific words count more than common ones. Ties are broken by stars of the repository, stars of the skill and id, so pages never overlap. Without `q`, results are ordered by stars of the repository, then of the skill. Of equal ones, clean and complete skills come first, and owners take turns. A near-copy never ranks before its original. In every other order, near-copies come after all other skills.',
    query: SearchQuery,
    responses: { 200: SearchPage, ...errorResponses('VALIDATION_ERROR') },
    metadata: read,
  },
  resolve: {
    method: 'GET',
    path: '/api/v1/skills/resolve',
    summary: 'Resolve a task to skills',
    description:
      'Ranks skills for a task in natural language. `confidence` is absolute: the probability that the skill solves the task, regardless of other skills. If no skill fits, the list is empty. Stars and votes only order skills that fit equally well, and fetches have no effect. Clearly negative votes lower the score and the confidence of a skill. `verdict` states whether the lint warns about a skill. It does not affect the rank, but `verdict=notice` excludes skills with warnings. A near-copy never ranks before its original.',
    query: ResolveQuery,
    responses: { 200: Resolution, ...errorResponses('VALIDATION_ERROR') },
    metadata: read,
  },
  trending: {
    method: 'GET',
    path: '/api/v1/skills/trending',
    summary: 'List the most starred skills',
    description:
      'The skills with the most stars of all time. Ties are broken by stars of the repository, then by id. Near-copies come after all other skills. `total` counts all skills.',
    query: z.object({ limit: pageLimit }),
    responses: { 200: listOf(SkillItem), ...errorResponses('VALIDATION_ERROR') },
    metadata: read,
  },
  publish: {
    method: 'POST',
    path: '/api/v1/skills',
    summary: 'Publish a skill',
    description:
      'Publishes a skill at `{owner}/{repo}/{slug}`. When you receive the 201, the skill is available at its address, in search and in resolve. If the service runs on several servers, the others follow within a second. `warnings` is advice and never blocks a publication. Counts toward the daily quotas.',
    body: SkillPublication,
    responses: {
      201: Published.meta(named('PublishedSkill', 'The published skill, with advice.')),
      ...errorResponses(...writeCodes, 'NOT_FOUND', 'CONFLICT'),
    },
    metadata: publishing,
  },
  parse: {
    method: 'POST',
    path: '/api/v1/skills/parse',
    summary: 'Read a SKILL.md',
    description:
      'Returns the fields that an import would read from a SKILL.md, within the limits of `POST /api/v1/skills`. A longer description is cut to 500 characters. If you publish the readme with these fields, search still covers the first 1,024 characters of its description. Also returns the findings of the lint in the readme and the given files. Nothing is stored.',
    body: SkillMarkdown,
    responses: {
      200: z.object({
        data: ReadSkill,
        notes: strings('Changes and guesses that were made.', [
          "the frontmatter has no name; took the folder's name",
        ]),
        warnings: z.array(LintWarning).describe('Findings of the lint.'),
      }),
      ...memoryResponses('VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'),
    },
    metadata: read,
  },
  try: {
    method: 'POST',
    path: '/api/v1/skills/try',
    summary: 'Try skills before you publish them',
    description:
      'Returns what resolve would return for each task if the given skills were published. Nothing is stored or counted, and no other request sees the skills. They have no votes, and near-copies are not detected.',
    body: SkillTrial,
    responses: {
      200: TrialResult,
      ...errorResponses(...writeCodes),
    },
    metadata: metadata({
      auth: 'apiKey',
      access: 'publish',
      limit: 'write',
      tag: 'Skills',
      idempotent: true,
    }),
  },
  get: {
    method: 'GET',
    path: '/api/v1/skills/:id',
    summary: 'Read a skill',
    description:
      'Returns a skill with the markdown of its current version. If the operator has hidden the skill, its publisher receives the reason.',
    pathParams: IdPath,
    responses: { 200: z.object({ data: SkillDetail }), ...errorResponses(...skillCodes) },
    metadata: read,
  },
  update: {
    method: 'PUT',
    path: '/api/v1/skills/:id',
    summary: 'Change a skill',
    description:
      'Changes the fields that you send. The others stay the same. A changed readme or changed files create a new version. So does a new `slug` if it changes the `name` in the front matter of SKILL.md. A new `slug` or `repoId` changes the address: the former address redirects (308) for 30 days, and existing signatures become invalid. Counts toward the daily quotas.',
    pathParams: IdPath,
    body: SkillChanges,
    responses: {
      200: Published.meta(named('UpdatedSkill', 'The changed skill, with advice.')),
      ...errorResponses(...writeCodes, ...skillCodes, 'CONFLICT'),
    },
    metadata: publishing,
  },
  delete: {
    method: 'DELETE',
    path: '/api/v1/skills/:id',
    summary: 'Delete a skill',
    description:
      'Removes the skill for all readers. If the service runs on several servers, the others follow within a second. The address stays reserved for its owner for 30 days.',
    pathParams: IdPath,
    responses: {
      200: z.object({
        data: z
          .object({ id: Id, deleted: z.literal(true).describe('Always true.') })
          .describe('The deleted skill.'),
      }),
      ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', ...skillCodes),
    },
    metadata: publishing,
  },
  stats: {
    method: 'GET',
    path: '/api/v1/skills/:id/stats',
    summary: 'Read the trust stats of a skill',
    description:
      'Returns the number of readers, the feedback, and the trust score derived from both.',
    pathParams: IdPath,
    responses: { 200: TrustStats, ...errorResponses(...skillCodes) },
    metadata: read,
  },
  usage: {
    method: 'GET',
    path: '/api/v1/skills/:id/usage',
    summary: 'Count fetches and installs of a skill by day',
    description:
      'Counts the clients of each version and UTC day, each once, for those who may publish the skill and for members of its organization. Reading the markdown is a fetch. Downloading an archive or the file `SKILL.md`, as installers do, is an install. Requests of the publisher and its network do not count. Counts are kept for 400 days.',
    pathParams: IdPath,
    query: z.object({
      days: withDefault(queryNumber(z.int().min(1).max(400)), 30).describe(
        'Number of days up to today, at most 400. The default is 30.',
      ),
    }),
    responses: {
      200: z
        .object({ data: z.array(DayUsage).describe('Newest day and version first.') })
        .meta(named('SkillUsage', 'Clients of the versions of a skill by day.')),
      ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', ...skillCodes),
    },
    metadata: metadata({ auth: 'apiKey', access: 'read', limit: 'read', tag: 'Skills' }),
  },
  versions: {
    method: 'GET',
    path: '/api/v1/skills/:id/versions',
    summary: 'List the versions of a skill',
    description:
      'Lists all versions, newest first. Versions are immutable. Fetch one with `?version=N` or `?digest=sha256:…`.',
    pathParams: IdPath,
    responses: { 200: listOf(SkillVersion), ...errorResponses(...skillCodes) },
    metadata: metadata({ ...read, takesApiKey: true }),
  },
  star: {
    method: 'POST',
    path: '/api/v1/skills/:id/star',
    summary: 'Star a skill',
    description: 'Sets the star of the calling agent. A repeated request changes nothing.',
    pathParams: IdPath,
    body: c.noBody(),
    responses: starResponses,
    metadata: metadata({ ...starring, idempotent: true }),
  },
  unstar: {
    method: 'DELETE',
    path: '/api/v1/skills/:id/star',
    summary: 'Remove a star',
    description: 'Removes the star of the calling agent. Without a star, nothing changes.',
    pathParams: IdPath,
    responses: starResponses,
    metadata: starring,
  },
})
