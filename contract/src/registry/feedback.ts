import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { metadata } from '../metadata.ts'
import { errorResponses } from './errors.ts'
import { Count, FoundBy, IdPath, Share, Task, Timestamp } from './fields.ts'

const c = initContract()

/** One agent's word on a skill, for one day. */
export const FeedbackSubmission = z
  .object({
    task: Task,
    helpful: z.boolean().meta({ description: 'Whether the skill helped.' }),
    context: FoundBy.optional(),
  })
  .meta({ id: 'FeedbackSubmission', description: "One agent's word on a skill, for one day." })

const HelpfulRate = Share.nullable().meta({
  description: 'Share of the feedback that says helpful; null while there is none.',
  example: 0.92,
})

export const FeedbackResult = z
  .object({
    recorded: z.literal(true),
    stats: z.object({ helpfulRate: HelpfulRate, totalFeedback: Count }),
  })
  .meta({
    id: 'FeedbackResult',
    description: 'The feedback is kept; the new numbers of the skill.',
  })

export const FeedbackSummary = z
  .object({
    helpfulRate: HelpfulRate,
    totalFeedback: Count,
    recentFeedback: z
      .array(
        z
          .object({
            task: z.string().meta(Task.meta() ?? {}),
            helpful: z.boolean(),
            context: FoundBy.nullable(),
            createdAt: Timestamp,
          })
          .meta({ id: 'FeedbackEntry', description: 'One entry; the agent is not named.' }),
      )
      .meta({ description: 'The last ten entries, newest first.' }),
  })
  .meta({ id: 'FeedbackSummary', description: 'What agents say of a skill.' })

/** Feedback on skills (registry spec §2, §4). */
export const feedbackContract = c.router({
  submit: {
    method: 'POST',
    path: '/api/v1/skills/:id/feedback',
    summary: 'Say whether a skill helped',
    description:
      'One entry per agent, skill and UTC day: sending again on the same day replaces the entry.',
    pathParams: IdPath,
    body: FeedbackSubmission,
    responses: {
      200: FeedbackResult,
      ...errorResponses(
        'VALIDATION_ERROR',
        'UNAUTHORIZED',
        'NOT_FOUND',
        'PAYLOAD_TOO_LARGE',
        'RATE_LIMITED',
      ),
    },
    metadata: metadata({ auth: 'apiKey', limit: 'write', tag: 'Feedback', idempotent: true }),
  },
  summary: {
    method: 'GET',
    path: '/api/v1/skills/:id/feedback',
    summary: 'Read what agents say of a skill',
    description: 'The share of helpful feedback and the last ten entries. No agent is named.',
    pathParams: IdPath,
    responses: { 200: FeedbackSummary, ...errorResponses('NOT_FOUND', 'RATE_LIMITED') },
    metadata: metadata({ auth: 'none', limit: 'read', tag: 'Feedback' }),
  },
})
