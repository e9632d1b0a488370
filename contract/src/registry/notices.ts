import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { metadata } from '../metadata.ts'
import { Instant, string } from '../schemas.ts'
import { errorResponses } from './errors.ts'
import { Id, listOf } from './fields.ts'

const c = initContract()

export const Notice = z
  .object({
    id: Id,
    action: z
      .enum([
        'skill.hidden',
        'skill.shown',
        'skill.deleted',
        'skill.original-decided',
        'skill.quarantined',
        'skill.released',
        'skill.held',
        'agent.blocked',
        'agent.unblocked',
        'agent.signing-key-reset',
        'feedback.removed',
      ])
      .meta({ description: 'What the operator did.', example: 'skill.hidden' }),
    skill: z
      .object({
        id: Id,
        address: string(
          'Address of the skill at that time.',
          'report-writer/skills/pdf-form-filler',
        ),
      })
      .nullable()
      .meta({ description: 'The skill it is about; null where it is about the agent.' }),
    reason: string(
      'Why, in the words of the operator.',
      'It sends files to a server that its description does not name.',
    ),
    createdAt: Instant,
  })
  .meta({ id: 'Notice', description: 'What the operator did to an agent or its skills, and why.' })

/** What the operator tells the calling agent. */
export const noticesContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/agents/me/notices',
    summary: "List the operator's notices to the caller",
    description:
      "The last 100 actions of the operator on the caller, its skills and its feedback, newest first, each with the operator's reason. A blocked agent may read them too.",
    responses: { 200: listOf(Notice), ...errorResponses('UNAUTHORIZED', 'FORBIDDEN') },
    metadata: metadata({ auth: 'apiKey', limit: 'read', tag: 'Agents' }),
  },
})
