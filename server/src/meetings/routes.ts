import type { platformContract } from '@skillpass/contract'
import type { Request } from 'express'
import type { BearerHandlers } from '../people/http.ts'
import { parseSecret, type Secret } from '../secrets/secrets.ts'
import { sendMessage } from './chat.ts'
import { endContentAccess, readIndicator, reportContentAccess } from './content-access.ts'
import {
  createMeeting,
  getMeeting,
  listMeetings,
  removeMeeting,
  updateMeeting,
} from './meetings.ts'
import { getPastMeeting, listPastParticipants } from './past-meetings.ts'
import { listRecordings, readRecording } from './recordings.ts'
import {
  serializeChatMessage,
  serializeContentAccess,
  serializeIndicator,
  serializeMeeting,
  serializeMeetingPage,
  serializePastMeeting,
  serializePastParticipants,
} from './serialize.ts'

type Contract = typeof platformContract

export const meetingsHandlers: BearerHandlers<Contract['meetings']> = {
  create: async ({ ctx, caller, params, body }) =>
    serializeMeeting(ctx, await createMeeting(ctx, caller, params.userId, body)),
  list: async ({ ctx, caller, params, query }) =>
    serializeMeetingPage(ctx, query, await listMeetings(ctx, caller, params.userId, query)),
  get: async ({ ctx, caller, params, query }) =>
    serializeMeeting(ctx, await getMeeting(ctx, caller, params.meetingId, query.occurrence_id)),
  update: ({ ctx, caller, params, query, body }) =>
    updateMeeting(ctx, caller, params.meetingId, query.occurrence_id, body),
  remove: ({ ctx, caller, params, query }) =>
    removeMeeting(ctx, caller, params.meetingId, query.occurrence_id),
}

export const pastMeetingsHandlers: BearerHandlers<Contract['pastMeetings']> = {
  get: async ({ ctx, caller, params }) =>
    serializePastMeeting(await getPastMeeting(ctx, caller, params.meetingId)),
  listParticipants: async ({ ctx, caller, params, query }) =>
    serializePastParticipants(
      query,
      await listPastParticipants(ctx, caller, params.meetingId, query),
    ),
}

/** Returns the download token that a request has in place of an access token. */
export const downloadTokenOf = ({ headers }: Request): Secret | undefined =>
  parseSecret('downloadToken', /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '')

export const recordingsHandlers: BearerHandlers<Contract['recordings']> = {
  list: ({ ctx, caller, params }) => listRecordings(ctx, caller, params.meetingId),
  download(request) {
    const { ctx, req, params } = request
    // With a download token, there is no caller.
    return readRecording(ctx, downloadTokenOf(req) ?? request.caller, params.recordingId)
  },
}

export const contentAccessHandlers: BearerHandlers<Contract['contentAccess']> = {
  report: async ({ ctx, caller, params, body }) =>
    serializeContentAccess(
      await reportContentAccess(ctx, caller, params.meetingId, body.content_type),
    ),
  end: ({ ctx, caller, params }) => endContentAccess(ctx, caller, params.meetingId, params.id),
  getIndicator: async ({ ctx, caller, params, query }) =>
    serializeIndicator(ctx, await readIndicator(ctx, caller, params.meetingId, query)),
}

export const chatHandlers: BearerHandlers<Contract['chat']> = {
  send: async ({ ctx, caller, body }) => serializeChatMessage(await sendMessage(ctx, caller, body)),
}
