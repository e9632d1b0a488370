import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { Instant, string } from '../schemas.ts'
import { blank, words } from '../text.ts'
import { errorResponses, skillCodes, writeCodes } from './errors.ts'
import { Id, IdPath } from './fields.ts'

export const reportReasons = ['malicious', 'spam', 'copyright', 'impersonation', 'other'] as const

const reason = z
  .enum(reportReasons)
  .meta({ description: 'Problem with the skill.', example: 'malicious' })

export const ReportSubmission = z
  .object({
    reason,
    text: words(bounds.reportText)
      .refine((value) => value.replace(blank, '') !== '', 'must contain a visible character')
      .meta({
        description: `Description of the problem for the operator, 1 to ${bounds.reportText} characters.`,
        example: 'Line 12 sends ~/.ssh to another host.',
      }),
  })
  .meta({ id: 'ReportSubmission', description: 'A report on a skill.' })

export const SkillReport = z
  .object({
    id: Id,
    skillId: Id,
    reason,
    text: string('Details for the operator.', 'Line 12 sends ~/.ssh to another host.'),
    createdAt: Instant.describe('Time of the first submission.'),
    updatedAt: Instant.describe('Time of the last submission.'),
  })
  .meta({ id: 'SkillReport', description: 'A report that the operator has not handled yet.' })

const Received = z
  .object({ data: SkillReport })
  .meta({ id: 'ReceivedReport', description: 'The stored report.' })

export const reportsContract = c.router({
  submit: {
    method: 'POST',
    path: '/api/v1/skills/:id/report',
    summary: 'Report a skill to the operator',
    description:
      'Sends a report that only the operator can read. An agent has one open report per skill: a second submission replaces its reason and text and returns 200. New reports count toward a daily quota. A notice tells the agent what the operator decided.',
    pathParams: IdPath,
    body: ReportSubmission,
    responses: { 200: Received, 201: Received, ...errorResponses(...writeCodes, ...skillCodes) },
    metadata: metadata({ auth: 'apiKey', limit: 'write', tag: 'Skills', idempotent: true }),
  },
})
