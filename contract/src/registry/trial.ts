import { z } from 'zod'
import { bounds } from '../limits.ts'
import { doc, string } from '../schemas.ts'
import { text, words } from '../text.ts'
import { Share } from './fields.ts'
import { itemShape } from './skill.ts'
import { readme } from './skill-fields.ts'

const task = words(bounds.task)

/** Skills to rank for tasks before they are published. */
export const SkillTrial = z
  .object({
    skills: z
      .array(
        z.object({
          readme: readme.describe('The complete SKILL.md, including front matter.'),
          folder: text(bounds.folder).default('').meta({
            description: 'Name of its folder, used if the front matter has no name.',
            example: 'read-invoices',
          }),
        }),
      )
      .min(1)
      .max(bounds.trialSkills)
      .describe('The skills. All take part together.'),
    tasks: z
      .array(task)
      .min(1)
      .max(bounds.trialTasks)
      .meta({ description: 'Tasks in natural language.', example: ['read this invoice'] }),
    limit: z
      .int()
      .min(1)
      .max(bounds.resolveLimit.max)
      .default(bounds.resolveLimit.default)
      .describe(`Maximum number of results per task, by default ${bounds.resolveLimit.default}.`),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .default(bounds.resolveThreshold)
      .describe(`Minimum confidence of the results, by default ${bounds.resolveThreshold}.`),
  })
  .meta({ id: 'SkillTrial', description: 'Skills to rank before they are published.' })

const TriedSkill = z
  .object({
    slug: string('Slug of the skill.', 'read-invoices'),
    fetchUrl: itemShape.fetchUrl
      .nullable()
      .describe('URL of the markdown. Null for a skill of the request.'),
    confidence: Share.meta(doc('Probability that the skill solves the task.', 0.84)),
  })
  .meta({ id: 'TriedSkill', description: 'A skill that resolve would return.' })

const TriedTask = z
  .object({
    task: string('The task.', 'read this invoice'),
    results: z.array(TriedSkill).describe('The skills for the task, best first.'),
  })
  .meta({ id: 'TriedTask', description: 'What resolve would return for a task.' })

export const TrialResult = z
  .object({ data: z.array(TriedTask).describe('The tasks, in the order of the request.') })
  .meta({ id: 'TrialResult', description: 'What resolve would return for each task.' })
