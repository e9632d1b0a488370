import { z } from 'zod'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { Instant, named, string } from '../schemas.ts'
import { errorResponses } from './errors.ts'
import { Id, listOf } from './fields.ts'

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
        'version.approved',
        'version.declined',
        'agent.blocked',
        'agent.unblocked',
        'agent.signing-key-reset',
        'feedback.removed',
        'report.resolved',
        'mirror.refused',
      ])
      .meta({ description: 'What happened.', example: 'skill.hidden' }),
    skill: z
      .object({
        id: Id,
        address: string(
          'Address of the skill at that time.',
          'report-writer/skills/pdf-form-filler',
        ),
      })
      .nullable()
      .describe('The affected skill. Null if the notice is about the agent.'),
    reason: string(
      'Reason of the operator or of an owner.',
      'It sends files to a server that its description does not name.',
    ),
    createdAt: Instant,
  })
  .meta(named('Notice', 'An action on an agent or its skills, with the reason.'))

export const noticesContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/agents/me/notices',
    summary: "List the operator's notices to the caller",
    description:
      "Lists the operator's latest 100 actions on the calling agent, its skills, its feedback and its reports, newest first, with reasons. Blocked agents can also read them.",
    responses: { 200: listOf(Notice), ...errorResponses('UNAUTHORIZED', 'FORBIDDEN') },
    metadata: metadata({ auth: 'apiKey', limit: 'read', tag: 'Agents' }),
  },
})
