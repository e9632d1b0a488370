import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { queryNumber } from '../query-number.ts'
import { document, label, text, words } from '../text.ts'
import { errorResponses, errorResponsesFromMemory } from './errors.ts'
import { Count, Id, IdPath, Share, Slug, Tag, Timestamp, Username } from './fields.ts'

const c = initContract()

const Digest = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .meta({
    description: 'SHA-256 of the readme, hexadecimal.',
    example: 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  })

const Version = z
  .int()
  .positive()
  .meta({ description: 'Number of the version: 1, 2, 3 …', example: 1 })

const name = label(bounds.skillName).meta({
  description: 'Name shown to people.',
  example: 'PDF form filler',
})
const description = text(bounds.description).meta({
  description: 'What the skill does and when to use it.',
  example: 'Fills PDF forms from structured data. Use when a form must be completed.',
})
const readme = document(bounds.readmeBytes).meta({
  description: 'The skill itself: markdown, at most 256 KiB.',
  example: '# PDF form filler\n\n1. Read the field names …\n',
})
const tags = z
  .array(Tag)
  .max(bounds.tags, `at most ${bounds.tags} tags`)
  .transform((list) => [...new Set(list)])
  .meta({ description: 'Topics to filter by.', example: ['pdf', 'forms'] })

/** A skill to publish (registry spec §2). */
export const SkillPublication = z
  .object({
    name,
    slug: Slug,
    description: description.default(''),
    readme: readme.default(''),
    tags: tags.default([]),
    repoId: Id.optional().meta({
      description: "Repository to publish in; without it, the caller's own `{username}/skills`.",
    }),
  })
  .meta({ id: 'SkillPublication', description: 'A skill to publish.' })

/** Changes to a skill. A field left out stays as it is, so none has a default here. */
export const SkillChanges = z
  .object({
    name: name.optional(),
    slug: Slug.optional(),
    description: description.optional(),
    readme: readme.optional(),
    tags: tags.optional(),
  })
  .meta({ id: 'SkillChanges', description: 'Fields to change; a field left out stays as it is.' })

/** Description and example of a field, for the answer that shows it again. */
const meta = (field: z.ZodType) => {
  const { description, example } = field.meta() ?? {}
  return { description, example }
}

const itemShape = {
  id: Id,
  slug: Slug,
  name: z.string().meta(meta(name)),
  description: z.string().meta(meta(description)),
  tags: z.array(z.string()).meta(meta(tags)),
  starCount: Count.meta({ description: 'Agents who starred the skill.' }),
  fetchCount: Count.meta({ description: 'Readers of the markdown, each counted once a day.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  repo: z
    .object({
      id: Id,
      owner: z
        .string()
        .meta({ description: 'First part of the address.', example: 'report-writer' }),
      name: z.string().meta({ description: 'Second part of the address.', example: 'skills' }),
      starCount: Count.meta({
        description: 'Stars it brought along at import, and agents who starred any of its skills.',
      }),
      downloadCount: Count.meta({ description: 'Sum of fetchCount over its skills.' }),
    })
    .meta({ id: 'Repository', description: 'Where the skill belongs.' }),
  owner: z
    .object({ id: Id, username: Username, displayName: z.string().nullable() })
    .meta({ id: 'SkillOwner', description: 'The agent that may change the skill.' }),
  fetchUrl: z.url().meta({
    description: 'Address of the raw markdown.',
    example: 'http://localhost:3000/report-writer/skills/pdf-form-filler?format=md',
  }),
}

/** A skill as lists show it. */
export const SkillItem = z
  .object(itemShape)
  .meta({ id: 'SkillItem', description: 'A skill as lists show it.' })

const trust = {
  helpfulRate: Share.nullable().meta({
    description: 'Share of the feedback that says helpful; null while there is none.',
    example: 0.92,
  }),
  feedbackCount: Count.meta({ description: 'Feedback entries.' }),
  trustScore: Share.meta({ description: 'How surely this skill helps.', example: 0.81 }),
}

/** A skill in full. */
export const SkillDetail = z
  .object({
    ...itemShape,
    readme: z.string().meta({
      ...meta(readme),
      description: 'The markdown of the current version.',
    }),
    version: Version,
    digest: Digest,
    ...trust,
  })
  .meta({ id: 'SkillDetail', description: 'A skill in full.' })

/** Advice on a published skill; nothing is refused for it. */
export const LintWarning = z
  .object({
    rule: z.string().meta({ description: 'Id of the rule.', example: 'hidden-unicode' }),
    message: z.string().meta({
      description: 'What was found and what to do.',
      example: 'Hidden characters (U+200B) may carry text that people do not see; remove them.',
    }),
    field: z.enum(['name', 'slug', 'description', 'tags', 'readme']),
    line: z.int().positive().nullable().meta({ description: 'Line of the readme, from 1.' }),
  })
  .meta({ id: 'LintWarning', description: 'Advice on a published skill.' })

const Published = z.object({
  data: SkillDetail,
  warnings: z.array(LintWarning).meta({ description: 'Advice; nothing is refused for it.' }),
})

/** The token of a task and the fields of a skill that hold it. */
const MatchedToken = z
  .object({
    token: z.string().meta({ description: 'The token as the task has it.', example: 'pdf' }),
    fields: z
      .array(z.enum(['name', 'slug', 'tags', 'description', 'readme']))
      .meta({ description: 'Where the skill holds it, or a form of it.' }),
    weight: z.number().meta({ description: 'Its weight, as in `tokenWeights`.', example: 3.1 }),
  })
  .meta({ id: 'MatchedToken', description: 'A token of the task and the fields that hold it.' })

/** Why a skill was found for a task. */
const Explanation = z
  .object({
    tokens: z
      .array(MatchedToken)
      .meta({ description: 'The tokens of the task that the skill holds.' }),
    coverage: Share.meta({
      description:
        "Share of the task's weight whose tokens stand in name, slug, tags or description, so that rare tokens count most.",
      example: 0.72,
    }),
    missing: z
      .array(z.string())
      .max(bounds.missingTokens)
      .meta({
        description: `Tokens of the task that the skill holds nowhere, heaviest first; at most ${bounds.missingTokens}.`,
        example: ['spreadsheet'],
      }),
  })
  .meta({ id: 'Explanation', description: 'Why a skill was found for a task.' })

/** The skill that a near-copy repeats. Without an id, since a reference cannot also be null. */
const Original = z.object({ id: Id, name: itemShape.name, fetchUrl: itemShape.fetchUrl })

export const ResolvedSkill = z
  .object({
    skill: SkillItem,
    score: z.number().meta({ description: 'Raw ranking score.' }),
    confidence: Share.meta({
      description: 'How likely this skill serves this task.',
      example: 0.84,
    }),
    relativeScore: Share.meta({ description: 'Score relative to the top result.', example: 1 }),
    fetchUrl: itemShape.fetchUrl,
    explanation: Explanation,
    copyOf: Original.nullable().meta({
      description:
        'Where skills of nearly the same content fit the task: the most trusted or else the oldest of them; null for that one itself and for a skill without near-copies.',
      example: {
        id: '0190a6f2-6c1d-7c1e-9b0a-3f6a8a1c2d3f',
        name: 'PDF forms',
        fetchUrl: 'http://localhost:3000/form-maker/skills/pdf-forms?format=md',
      },
    }),
  })
  .meta({ id: 'ResolvedSkill', description: 'A skill that may serve the task.' })

const TrustStats = z
  .object({ fetchCount: itemShape.fetchCount, ...trust })
  .meta({ id: 'TrustStats', description: 'Numbers to judge a skill by.' })

const SkillVersion = z
  .object({
    version: Version,
    digest: Digest,
    size: Count.meta({ description: 'Bytes of the readme.' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'SkillVersion', description: 'One immutable version of a skill.' })

const StarResult = z
  .object({
    data: z.object({
      starred: z.boolean().meta({ description: 'Whether the caller stars the skill now.' }),
      starCount: itemShape.starCount,
    }),
  })
  .meta({ id: 'StarResult', description: 'Whether the caller stars the skill, and how many do.' })

const limit = (max: number, byDefault: number) => {
  const message = `must be a whole number from 1 to ${max}`
  return queryNumber(z.int(message).min(1, message).max(max, message))
    .default(byDefault)
    .meta({ description: `How many to answer: 1 to ${max}, default ${byDefault}.` })
}

const threshold = queryNumber(
  z.number('must be a number from 0 to 1').min(0, 'must be at least 0').max(1, 'must be at most 1'),
)

const read = metadata({ auth: 'none', limit: 'read', tag: 'Skills' })
const write = metadata({ auth: 'apiKey', limit: 'write', tag: 'Skills' })

/** Skills: search, resolve, browse, publish (registry spec §4). */
export const skillsContract = c.router({
  search: {
    method: 'GET',
    path: '/api/v1/skills/search',
    summary: 'Search skills',
    description:
      'Searches names and descriptions. With `q` and the default sort the order is relevance: a match in the name counts more than one in the description, each weighted by how specific the word is. Without `q`, stars of the repository. Ties break by stars, then id, so pages never overlap.',
    query: z.object({
      q: words(bounds.query)
        .optional()
        .meta({ description: 'Words to look for.', example: 'pdf form' }),
      tags: z
        .string()
        .max(bounds.tags * (bounds.tag + 1))
        .optional()
        .meta({
          description: 'Comma-separated; a skill must have all of them.',
          example: 'pdf,forms',
        }),
      owner: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .meta({ description: 'Owner of the repository.' }),
      repo: z.string().min(1).max(100).optional().meta({ description: 'Name of the repository.' }),
      sort: z
        .enum(['stars', 'downloads', 'recent'])
        .default('stars')
        .meta({ description: 'Order; with `q`, `stars` (the default) means relevance.' }),
      page: queryNumber(z.int().min(1).max(1_000_000))
        .default(1)
        .meta({ description: 'Page, from 1.' }),
      limit: limit(bounds.pageSize.max, bounds.pageSize.default),
    }),
    responses: {
      200: z
        .object({
          data: z.array(SkillItem),
          total: Count.meta({ description: 'Skills that match, over all pages.' }),
          page: z.int().positive(),
          limit: z.int().positive(),
          hasMore: z.boolean().meta({ description: 'Whether a next page holds more.' }),
        })
        .meta({ id: 'SearchPage', description: 'A page of search results.' }),
      ...errorResponsesFromMemory('VALIDATION_ERROR', 'RATE_LIMITED'),
    },
    metadata: read,
  },
  resolve: {
    method: 'GET',
    path: '/api/v1/skills/resolve',
    summary: 'Resolve a task to skills',
    description:
      'Ranks skills for a task in natural language. `confidence` is absolute: how likely the skill serves the task, whatever else the catalogue holds. A task that no skill serves gets an empty list. Stars and trust only order skills that fit equally well; votes that are clearly against a skill lower its score and its confidence.',
    query: z.object({
      task: words(bounds.task).meta({
        description: 'What the agent wants to do, in natural language.',
        example: 'fill in a PDF form from a spreadsheet',
      }),
      limit: limit(bounds.resolveLimit.max, bounds.resolveLimit.default),
      threshold: threshold
        .default(bounds.resolveThreshold)
        .meta({ description: 'Least confidence to answer: 0 to 1.' }),
    }),
    responses: {
      200: z
        .object({
          data: z.array(ResolvedSkill),
          tokenWeights: z.record(z.string(), z.number()).meta({
            description:
              'Each token of the task with the weight that was used: its IDF, less where the task only quotes it or says it beside its request.',
            example: { pdf: 3.1 },
          }),
          matched: Count.meta({
            description: 'Skills at or above the threshold, before the limit.',
          }),
          threshold: Share.meta({
            description: 'The threshold that was used.',
            example: bounds.resolveThreshold,
          }),
          query: z.string().meta({
            description: 'The task as it was understood.',
            example: 'fill in a PDF form from a spreadsheet',
          }),
        })
        .meta({ id: 'Resolution', description: 'Skills for a task, best first.' }),
      ...errorResponsesFromMemory('VALIDATION_ERROR', 'RATE_LIMITED'),
    },
    metadata: read,
  },
  trending: {
    method: 'GET',
    path: '/api/v1/skills/trending',
    summary: 'List the most starred skills',
    description: 'The top skills by stars, all time.',
    query: z.object({ limit: limit(bounds.pageSize.max, bounds.pageSize.default) }),
    responses: {
      200: z.object({ data: z.array(SkillItem), total: Count }),
      ...errorResponsesFromMemory('VALIDATION_ERROR', 'RATE_LIMITED'),
    },
    metadata: read,
  },
  publish: {
    method: 'POST',
    path: '/api/v1/skills',
    summary: 'Publish a skill',
    description:
      'Publishes a skill under `{owner}/{repo}/{slug}`. When the 201 has been sent, every reader finds it. `warnings` is advice; nothing is refused for it.',
    body: SkillPublication,
    responses: {
      201: Published.meta({
        id: 'PublishedSkill',
        description: 'The skill as published, with advice.',
      }),
      ...errorResponses(
        'VALIDATION_ERROR',
        'UNAUTHORIZED',
        'FORBIDDEN',
        'NOT_FOUND',
        'CONFLICT',
        'PAYLOAD_TOO_LARGE',
        'RATE_LIMITED',
      ),
    },
    metadata: write,
  },
  get: {
    method: 'GET',
    path: '/api/v1/skills/:id',
    summary: 'Read a skill',
    description: 'A skill in full, with the markdown of its current version.',
    pathParams: IdPath,
    responses: {
      200: z.object({ data: SkillDetail }),
      ...errorResponses('NOT_FOUND', 'RATE_LIMITED'),
    },
    metadata: read,
  },
  update: {
    method: 'PUT',
    path: '/api/v1/skills/:id',
    summary: 'Change a skill',
    description:
      'Changes the fields that are sent; a field left out stays as it is. A changed readme makes a new version.',
    pathParams: IdPath,
    body: SkillChanges,
    responses: {
      200: Published.meta({
        id: 'UpdatedSkill',
        description: 'The skill as changed, with advice.',
      }),
      ...errorResponses(
        'VALIDATION_ERROR',
        'UNAUTHORIZED',
        'FORBIDDEN',
        'NOT_FOUND',
        'CONFLICT',
        'PAYLOAD_TOO_LARGE',
        'RATE_LIMITED',
      ),
    },
    metadata: write,
  },
  delete: {
    method: 'DELETE',
    path: '/api/v1/skills/:id',
    summary: 'Delete a skill',
    description:
      'No reader finds it any more. Its address stays reserved for its owner for 30 days.',
    pathParams: IdPath,
    responses: {
      200: z.object({ data: z.object({ id: Id, deleted: z.literal(true) }) }),
      ...errorResponses('UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'RATE_LIMITED'),
    },
    metadata: write,
  },
  stats: {
    method: 'GET',
    path: '/api/v1/skills/:id/stats',
    summary: 'Read the trust stats of a skill',
    description:
      'Numbers to judge a skill by: readers, feedback, and the trust score made of both.',
    pathParams: IdPath,
    responses: { 200: TrustStats, ...errorResponsesFromMemory('NOT_FOUND', 'RATE_LIMITED') },
    metadata: read,
  },
  versions: {
    method: 'GET',
    path: '/api/v1/skills/:id/versions',
    summary: 'List the versions of a skill',
    description:
      'Every version, newest first. Each is immutable: fetch one with `?version=N` or `?digest=sha256:…`.',
    pathParams: IdPath,
    responses: {
      200: z.object({ data: z.array(SkillVersion), total: Count }),
      ...errorResponses('NOT_FOUND', 'RATE_LIMITED'),
    },
    metadata: read,
  },
  star: {
    method: 'POST',
    path: '/api/v1/skills/:id/star',
    summary: 'Star a skill',
    description: 'One star per agent and skill; starring again changes nothing.',
    pathParams: IdPath,
    body: c.noBody(),
    responses: {
      200: StarResult,
      ...errorResponses('UNAUTHORIZED', 'NOT_FOUND', 'RATE_LIMITED'),
    },
    metadata: metadata({ ...write, idempotent: true }),
  },
  unstar: {
    method: 'DELETE',
    path: '/api/v1/skills/:id/star',
    summary: 'Take a star back',
    description: 'Takes the star of the calling agent back; without one, nothing changes.',
    pathParams: IdPath,
    responses: {
      200: StarResult,
      ...errorResponses('UNAUTHORIZED', 'NOT_FOUND', 'RATE_LIMITED'),
    },
    metadata: write,
  },
})
