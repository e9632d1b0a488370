import { z } from 'zod'
import { bounds } from '../limits.ts'
import { queryFraction } from '../query-number.ts'
import { string } from '../schemas.ts'
import { words } from '../text.ts'
import { Count, Share } from './fields.ts'
import { limit, verdictFilter, withDefault } from './query-fields.ts'
import { copyOf, itemShape, SkillItem } from './skill.ts'

const threshold = withDefault(queryFraction(z.number().min(0).max(1)), bounds.resolveThreshold)

/** What is asked of resolve. */
export const ResolveQuery = z.object({
  task: words(bounds.task).meta({
    description: 'What the agent wants to do, in natural language.',
    example: 'fill in a PDF form from a spreadsheet',
  }),
  limit: limit(bounds.resolveLimit.max, bounds.resolveLimit.default),
  threshold: threshold.meta({ description: 'Least confidence to answer: 0 to 1.' }),
  verdict: verdictFilter,
})

const MatchedToken = z
  .object({
    token: string('The token as the task has it.', 'pdf'),
    fields: z
      .array(z.enum(['name', 'slug', 'tags', 'description', 'readme']))
      .meta({ description: 'Where the skill holds it, or a form of it.' }),
    weight: z.number().meta({ description: 'Its weight, as in `tokenWeights`.', example: 3.1 }),
  })
  .meta({ id: 'MatchedToken', description: 'A token of the task and the fields that hold it.' })

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

/** A skill with how well it fits. */
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
    copyOf,
  })
  .meta({ id: 'ResolvedSkill', description: 'A skill that may serve the task.' })

/** What resolve answers. */
export const Resolution = z
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
    query: string('The task as it was understood.', 'fill in a PDF form from a spreadsheet'),
  })
  .meta({ id: 'Resolution', description: 'Skills for a task, best first.' })
