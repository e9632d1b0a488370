import type { platformContract } from '@skillpass/contract'
import type { BearerHandlers } from '../people/http.ts'
import { sendMessage } from './chat.ts'
import { endContentAccess, readIndicator, reportContentAccess } from './content-access.ts'
import {
  createMeeting,
  getMeeting,
  listMeetings,
  removeMeeting,
  updateMeeting,
} from './meetings.ts'
import {
  serializeChatMessage,
  serializeContentAccess,
  serializeIndicator,
  serializeMeeting,
  serializeMeetingPage,
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
