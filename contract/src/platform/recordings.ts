import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { c } from '../router.ts'
import { bytes, doc, named } from '../schemas.ts'
import { text } from '../text.ts'
import { platformErrorResponses } from './errors.ts'
import { Recording } from './events.ts'
import { InstancePath } from './past-meetings.ts'

const Recordings = Recording.meta(
  named('Recordings', 'The recordings of an instance of a meeting.'),
)

const about = { auth: 'accessToken', tag: 'Recordings' } as const

/** Recordings of meetings. */
export const recordingsContract = c.router({
  list: {
    method: 'GET',
    path: '/v2/meetings/:meetingId/recordings',
    summary: 'List the recordings of a meeting',
    description: 'If there are none, it returns 404 with code 3301.',
    pathParams: InstancePath,
    responses: { 200: Recordings, ...platformErrorResponses(404) },
    metadata: metadata({ ...about, limit: 'resource', scopes: endpointScopes.listRecordings }),
  },
  download: {
    method: 'GET',
    path: '/v2/recordings/:recordingId/download',
    summary: 'Download a recording',
    description:
      'Takes an access token, or the `download_token` of the event `recording.completed`, which opens the files of the event for 24 hours.',
    pathParams: z.object({
      recordingId: text(100).min(1).meta(doc('Id of the file.', demo.recording)),
    }),
    responses: {
      200: c.otherResponse({ contentType: 'video/mp4', body: bytes('The file.') }),
      ...platformErrorResponses(404),
    },
    metadata: metadata({ ...about, limit: 'download', scopes: endpointScopes.listRecordings }),
  },
})
