import { z } from 'zod'
import { bounds } from '../limits.ts'
import { queryFraction } from '../query-number.ts'
import { doc, string } from '../schemas.ts'
import { words } from '../text.ts'
import { Count, Share } from './fields.ts'
import { limit, verdictFilter, withDefault } from './query-fields.ts'
import { copyOf, itemShape, SkillItem } from './skill.ts'

const threshold = withDefault(queryFraction(z.number().min(0).max(1)), bounds.resolveThreshold)

/** Query parameters of resolve. */
export const ResolveQuery = z.object({
  task: words(bounds.task).meta({
    description: `Task in natural language, at most ${bounds.task} characters.`,
    example: 'fill in a PDF form from a spreadsheet',
  }),
  limit: limit(bounds.resolveLimit.max, bounds.resolveLimit.default),
  threshold: threshold.describe(
    `Minimum confidence of the results, from 0 to 1. The default is ${bounds.resolveThreshold}.`,
  ),
  verdict: verdictFilter,
})

const MatchedToken = z
  .object({
    token: string('Token of the task.', 'pdf'),
    fields: z
      .array(z.enum(['name', 'slug', 'tags', 'description', 'readme']))
      .describe('Fields of the skill that contain the token or an inflection of it.'),
    weight: z
      .number()
      .meta({ description: 'Weight of the token, as in `tokenWeights`.', example: 3.1 }),
  })
  .meta({ id: 'MatchedToken', description: 'A token of the task and the fields that contain it.' })

const Explanation = z
  .object({
    tokens: z.array(MatchedToken).describe('Tokens of the task that the skill contains.'),
    coverage: Share.meta({
      description:
        "Share of the task's token weight that name, slug, tags or description contain. Rare tokens count most.",
      example: 0.72,
    }),
    missing: z
      .array(z.string())
      .max(bounds.missingTokens)
      .meta({
        description: `Tokens of the task that the skill does not contain, by descending weight, at most ${bounds.missingTokens}.`,
        example: ['spreadsheet'],
      }),
  })
  .meta({ id: 'Explanation', description: 'Reasons why a skill matches the task.' })

export const ResolvedSkill = z
  .object({
    skill: SkillItem,
    score: z.number().describe('Raw ranking score.'),
    confidence: Share.meta(doc('Probability that the skill solves the task.', 0.84)),
    relativeScore: Share.meta({ description: 'Score relative to the first result.', example: 1 }),
    fetchUrl: itemShape.fetchUrl,
    explanation: Explanation,
    copyOf,
  })
  .meta({ id: 'ResolvedSkill', description: 'A skill that matches the task.' })

export const Resolution = z
  .object({
    data: z.array(ResolvedSkill),
    tokenWeights: z.record(z.string(), z.number()).meta({
      description:
        'Weights of the tokens of the task: their inverse document frequency, reduced if the token is only quoted or is not part of the request itself.',
      example: { pdf: 3.1 },
    }),
    matched: Count.describe('Number of skills at or above the threshold, before `limit` applies.'),
    threshold: Share.meta(doc('The applied threshold.', bounds.resolveThreshold)),
    query: string('The task as interpreted.', 'fill in a PDF form from a spreadsheet'),
  })
  .meta({ id: 'Resolution', description: 'Skills for a task, best first.' })
