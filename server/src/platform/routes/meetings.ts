import { platformContract } from '@skillpass/contract'
import { forRequest } from '../../audit/for-request.ts'
import { created, noContent, ok, router } from '../../http/handlers.ts'
import { findVisibleUser } from '../bearer.ts'
import type { PlatformContext } from '../context.ts'
import {
  createMeeting,
  findVisibleMeeting,
  getMeeting,
  listMeetings,
  removeMeeting,
  removeOccurrence,
  updateMeeting,
} from '../meetings.ts'
import { serializeListedMeeting, serializeMeeting } from '../serialize/meeting.ts'
import { bearerOf } from './bearer.ts'

export const meetingsRoutes = (ctx: PlatformContext) =>
  router(platformContract.meetings, {
    create: async ({ params, body, req, res }) => {
      const bearer = bearerOf(res)
      const named = await findVisibleUser(ctx, bearer, params.userId)
      const { schedule_for: other } = body
      const host = other === undefined ? named : await findVisibleUser(ctx, bearer, other)
      return created(
        serializeMeeting(ctx, await createMeeting(forRequest(ctx, req), bearer, host, body)),
      )
    },
    list: async ({ params, query, res }) => {
      const host = await findVisibleUser(ctx, bearerOf(res), params.userId)
      const page = await listMeetings(ctx, host, query)
      return ok({
        page_size: query.page_size,
        total_records: page.total,
        next_page_token: page.nextPageToken,
        meetings: page.items.map((meeting) => serializeListedMeeting(ctx, meeting)),
      })
    },
    get: async ({ params, res }) => {
      const bearer = bearerOf(res)
      const found = await findVisibleMeeting(ctx, bearer, params.meetingId)
      return ok(serializeMeeting(ctx, await getMeeting(ctx, bearer, found)))
    },
    update: async ({ params, body, req, res }) => {
      const bearer = bearerOf(res)
      const { meeting } = await findVisibleMeeting(ctx, bearer, params.meetingId)
      const { schedule_for: other } = body
      const host = other === undefined ? other : await findVisibleUser(ctx, bearer, other)
      await updateMeeting(forRequest(ctx, req), meeting, body, host)
      return noContent()
    },
    remove: async ({ params, query, req, res }) => {
      const bearer = bearerOf(res)
      const { meeting } = await findVisibleMeeting(ctx, bearer, params.meetingId)
      if (query.occurrence_id === undefined) await removeMeeting(forRequest(ctx, req), meeting)
      else await removeOccurrence(forRequest(ctx, req), meeting, query.occurrence_id)
      return noContent()
    },
  })
