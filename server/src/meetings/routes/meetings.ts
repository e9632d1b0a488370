import { platformContract } from '@skillpass/contract'
import { created, noContent, ok, router } from '../../http/handlers.ts'
import { bearerOf } from '../../people/http.ts'
import { type Context, forRequest } from '../../runtime/context.ts'
import * as meetings from '../meetings.ts'
import { serializeMeeting, serializeMeetingPage } from '../serialize.ts'

export const meetingsRoutes = (ctx: Context) =>
  router(platformContract.meetings, {
    create: async ({ params: { userId }, body, req, res }) => {
      const meeting = await meetings.createMeeting(
        forRequest(ctx, req),
        bearerOf(res),
        userId,
        body,
      )
      return created(serializeMeeting(ctx, meeting))
    },
    list: async ({ params: { userId }, query, res }) => {
      const page = await meetings.listMeetings(ctx, bearerOf(res), userId, query)
      return ok(serializeMeetingPage(ctx, query, page))
    },
    get: async ({ params: { meetingId }, query, res }) => {
      const meeting = await meetings.getMeeting(ctx, bearerOf(res), meetingId, query.occurrence_id)
      return ok(serializeMeeting(ctx, meeting))
    },
    update: async ({ params: { meetingId }, query, body, req, res }) => {
      const { occurrence_id } = query
      await meetings.updateMeeting(
        forRequest(ctx, req),
        bearerOf(res),
        meetingId,
        occurrence_id,
        body,
      )
      return noContent()
    },
    remove: async ({ params: { meetingId }, query, req, res }) => {
      await meetings.removeMeeting(
        forRequest(ctx, req),
        bearerOf(res),
        meetingId,
        query.occurrence_id,
      )
      return noContent()
    },
  })
