import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { Instant, string } from '../schemas.ts'
import { text } from '../text.ts'
import { errorResponses, skillCodes, writeCodes } from './errors.ts'
import { Id, IdPath } from './fields.ts'

const c = initContract()

/** What may be wrong with a skill. */
export const reportReasons = ['malicious', 'spam', 'copyright', 'impersonation', 'other'] as const

const reason = z
  .enum(reportReasons)
  .meta({ description: 'What is wrong with the skill.', example: 'malicious' })

const details = text(bounds.reportText)

export const ReportSubmission = z
  .object({
    reason,
    text: details.default('').meta({
      description: `What the operator should look at; at most ${bounds.reportText} characters.`,
      example: 'Line 12 sends ~/.ssh to another host.',
    }),
  })
  .meta({ id: 'ReportSubmission', description: 'What an agent tells the operator of a skill.' })

export const SkillReport = z
  .object({
    id: Id,
    skillId: Id,
    reason,
    text: string('What the operator should look at.', 'Line 12 sends ~/.ssh to another host.'),
    createdAt: Instant.meta({ description: 'When it was first sent.' }),
    updatedAt: Instant.meta({ description: 'When it was last sent.' }),
  })
  .meta({ id: 'SkillReport', description: 'A report that waits for the operator.' })

const Received = z
  .object({ data: SkillReport })
  .meta({ id: 'ReceivedReport', description: 'The report as the operator will see it.' })

/** Reports on skills, for the operator. */
export const reportsContract = c.router({
  submit: {
    method: 'POST',
    path: '/api/v1/skills/:id/report',
    summary: 'Report a skill to the operator',
    description:
      'One open report per agent and skill: sending again replaces its reason and text and answers 200. New reports count toward a daily quota. Only the operator reads reports.',
    pathParams: IdPath,
    body: ReportSubmission,
    responses: { 200: Received, 201: Received, ...errorResponses(...writeCodes, ...skillCodes) },
    metadata: metadata({ auth: 'apiKey', limit: 'write', tag: 'Skills', idempotent: true }),
  },
})
