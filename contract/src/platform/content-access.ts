import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { boolean, Instant, string } from '../schemas.ts'
import { text } from '../text.ts'
import { platformErrorResponses } from './errors.ts'
import { emptyAsAbsent } from './lenient.ts'

const c = initContract()

const Meeting = z
  .string()
  .min(1)
  .meta({ description: 'Number of the meeting.', example: String(demo.meeting) })

const ContentType = z
  .enum(['audio', 'video', 'chat', 'transcript', 'screen_share'])
  .meta({ description: 'What the app has access to.', example: 'audio' })

const AppName = string('The app, as its users see it.', 'Scheduler')

const ApprovedBy = string('The account in which the app was allowed.', 'Acme')

/** That an app has access to what goes on in a meeting (OAuth spec §6; open-points E). */
export const ContentAccess = z
  .object({
    id: string('Ends it.', demo.contentAccess),
    meeting_id: z.int().meta({
      description: 'Number of the meeting.',
      example: demo.meeting,
      format: 'int64',
    }),
    content_type: ContentType,
    app_name: AppName,
    approved_by: ApprovedBy,
    created_at: Instant.meta({ description: 'Since when: ISO 8601, UTC.' }),
  })
  .meta({ id: 'ContentAccess', description: 'That an app has access to content of a meeting.' })

/** What a meeting client shows of the apps with access (OAuth spec §6). */
export const AppIndicator = z
  .object({
    supported: boolean(
      'Whether a client of this version shows the indicator. Where not, the rest is empty.',
      true,
    ),
    active: boolean('Whether any app has access now.', true),
    icon_url: z.string().nullable().meta({
      description: 'The icon, an SVG; null where nothing is active.',
      example: 'https://auth.example.com/assets/app-indicator.svg',
    }),
    tooltip: z.string().nullable().meta({
      description: 'A line for each app, content type and account; null where nothing is active.',
      example: 'Scheduler has access to audio. Approved by Acme.',
    }),
    apps: z
      .array(z.object({ app_name: AppName, content_type: ContentType, approved_by: ApprovedBy }))
      .meta({ description: 'The same for programs, in the order of the lines.' }),
  })
  .meta({ id: 'AppIndicator', description: 'Which apps have access to a meeting right now.' })

/** Numbers with dots between them; a build may stand in parentheses behind a space. */
const versionForm = /^\d{1,9}(\.\d{1,9}){0,4}( \(\d{1,9}\))?$/
const Version = z.string().regex(versionForm, 'must be a version, as 5.6.7')

const IndicatorQuery = z
  .object({
    client_version: emptyAsAbsent(Version).meta({
      description: 'Version of the meeting client; the indicator is supported from 5.6.7.',
      example: '5.6.7',
    }),
    meeting_sdk_version: emptyAsAbsent(Version).meta({
      description: 'Version of the meeting SDK instead; the indicator is supported from 5.9.0.',
      example: '5.9.0',
    }),
  })
  .refine(
    ({ client_version, meeting_sdk_version }) =>
      (client_version === undefined) !== (meeting_sdk_version === undefined),
    { path: ['client_version'], message: 'give either client_version or meeting_sdk_version' },
  )

const about = { auth: 'accessToken', limit: 'resource', tag: 'Content access' } as const

/** Apps with real-time access to a meeting's content, and the indicator that tells of them. */
export const contentAccessContract = c.router({
  report: {
    method: 'POST',
    path: '/v2/meetings/:meetingId/content_access',
    summary: 'Report access to content of a meeting',
    description:
      'Tells everyone in the meeting that the app reads or hears it from now on. Reporting the same again while it is active gives the same record. It ends by the DELETE, with the meeting, and as soon as the app is removed, disabled or revoked. A meeting that is over takes none: 409.',
    pathParams: z.object({ meetingId: Meeting }),
    body: z
      .object({ content_type: ContentType })
      .meta({ id: 'ContentAccessReport', description: 'What the app has access to.' }),
    responses: { 201: ContentAccess, ...platformErrorResponses(400, 404, 409, 413) },
    metadata: metadata({ ...about, scopes: endpointScopes.accessContent, idempotent: true }),
  },
  end: {
    method: 'DELETE',
    path: '/v2/meetings/:meetingId/content_access/:id',
    summary: 'End access to content of a meeting',
    description:
      'Takes what the app has reported off the indicator. Ending it again changes nothing. What another app or account has reported is not found: 404.',
    pathParams: z.object({
      meetingId: Meeting,
      id: text(100).min(1).meta({
        description: 'Id of the record.',
        example: demo.contentAccess,
      }),
    }),
    responses: { 204: c.noBody(), ...platformErrorResponses(404) },
    metadata: metadata({ ...about, scopes: endpointScopes.accessContent }),
  },
  getIndicator: {
    method: 'GET',
    path: '/v2/meetings/:meetingId/app_indicator',
    summary: 'Read the in-meeting indicator',
    description:
      'What a meeting client shows: an icon while apps have real-time access to content of the meeting, and a tooltip that names the content type and the approving account. Older clients do not support it.',
    pathParams: z.object({ meetingId: Meeting }),
    query: IndicatorQuery,
    responses: { 200: AppIndicator, ...platformErrorResponses(400, 404) },
    metadata: metadata({ ...about, scopes: endpointScopes.accessContent }),
  },
})
