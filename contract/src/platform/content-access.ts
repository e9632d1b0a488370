import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { c } from '../router.ts'
import { boolean, doc, Instant, named, string } from '../schemas.ts'
import { text } from '../text.ts'
import { platformErrorResponses } from './errors.ts'
import { emptyAsAbsent } from './lenient.ts'

const Meeting = z
  .string()
  .min(1)
  .meta({ description: 'Number of the meeting.', example: String(demo.meeting) })

const ContentType = z
  .enum(['audio', 'video', 'chat', 'transcript', 'screen_share'])
  .meta({ description: 'Type of the content.', example: 'audio' })

const AppName = string('Name of the app.', 'Scheduler')

const ApprovedBy = string('Name of the approving account.', 'Acme')

/** Access of an app to the content of a meeting (spec/decisions.md#in-meeting-indicator). */
export const ContentAccess = z
  .object({
    id: string('Id for ending the access.', demo.contentAccess),
    meeting_id: z.int().meta({
      description: 'Number of the meeting.',
      example: demo.meeting,
      format: 'int64',
    }),
    content_type: ContentType,
    app_name: AppName,
    approved_by: ApprovedBy,
    created_at: Instant.describe('Start of the access: ISO 8601, UTC.'),
  })
  .meta(named('ContentAccess', 'Real-time access of an app to the content of a meeting.'))

/** The indicator that a meeting client shows (spec/oauth.md#in-meeting-indicator). */
export const AppIndicator = z
  .object({
    supported: boolean(
      'Whether this client version supports the indicator. If it does not, the other fields are empty.',
      true,
    ),
    active: boolean('Whether any app has access at the moment.', true),
    icon_url: z.string().nullable().meta({
      description: 'Address of the icon, an SVG. Null if no app has access.',
      example: 'https://auth.example.com/assets/app-indicator.svg',
    }),
    tooltip: z.string().nullable().meta({
      description: 'One line per app, content type and account. Null if no app has access.',
      example: 'Scheduler has access to audio. Approved by Acme.',
    }),
    apps: z
      .array(z.object({ app_name: AppName, content_type: ContentType, approved_by: ApprovedBy }))
      .describe('The lines of the tooltip as data, in the same order.'),
  })
  .meta({ id: 'AppIndicator', description: 'Apps that have access to a meeting at the moment.' })

// Dotted numbers, optionally with a build in parentheses: 5.6.7 (1016).
const versionForm = /^\d{1,9}(\.\d{1,9}){0,4}( \(\d{1,9}\))?$/
const Version = z.string().regex(versionForm, 'must be a version such as 5.6.7')

const IndicatorQuery = z
  .object({
    client_version: emptyAsAbsent(Version).meta(
      doc('Version of the meeting client. The indicator is supported from 5.6.7.', '5.6.7'),
    ),
    meeting_sdk_version: emptyAsAbsent(Version).meta(
      doc('Version of the meeting SDK. The indicator is supported from 5.9.0.', '5.9.0'),
    ),
  })
  .refine(
    ({ client_version, meeting_sdk_version }) =>
      (client_version === undefined) !== (meeting_sdk_version === undefined),
    { path: ['client_version'], message: 'send either client_version or meeting_sdk_version' },
  )

const about = { auth: 'accessToken', limit: 'resource', tag: 'Content access' } as const

/** Real-time access of apps to the content of a meeting, and its indicator. */
export const contentAccessContract = c.router({
  report: {
    method: 'POST',
    path: '/v2/meetings/:meetingId/content_access',
    summary: 'Report access to the content of a meeting',
    description:
      'Shows everyone in the meeting that the app has access from now on. A repeated report of active access returns the same record. The access ends with the DELETE request, with the meeting, or when the app is removed, disabled or revoked. A meeting that is over returns 409.',
    pathParams: z.object({ meetingId: Meeting }),
    body: z
      .object({ content_type: ContentType })
      .meta(named('ContentAccessReport', 'Type of the content that the app accesses.')),
    responses: { 201: ContentAccess, ...platformErrorResponses(400, 404, 409, 413) },
    metadata: metadata({ ...about, scopes: endpointScopes.accessContent, idempotent: true }),
  },
  end: {
    method: 'DELETE',
    path: '/v2/meetings/:meetingId/content_access/:id',
    summary: 'End access to the content of a meeting',
    description:
      'Removes the access from the indicator. Ending it again changes nothing. Access that another app or account reported returns 404.',
    pathParams: z.object({
      meetingId: Meeting,
      id: text(100).min(1).meta(doc('Id of the access record.', demo.contentAccess)),
    }),
    responses: { 204: c.noBody(), ...platformErrorResponses(400, 404) },
    metadata: metadata({ ...about, scopes: endpointScopes.accessContent }),
  },
  getIndicator: {
    method: 'GET',
    path: '/v2/meetings/:meetingId/app_indicator',
    summary: 'Read the in-meeting indicator',
    description:
      'Returns what a meeting client displays: an icon while apps have real-time access to the content of the meeting, and a tooltip with the content type and the approving account. Older clients do not support the indicator.',
    pathParams: z.object({ meetingId: Meeting }),
    query: IndicatorQuery,
    responses: { 200: AppIndicator, ...platformErrorResponses(400, 404) },
    metadata: metadata({ ...about, scopes: endpointScopes.accessContent }),
  },
})
