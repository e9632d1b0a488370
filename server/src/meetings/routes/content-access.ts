import { platformContract } from '@skillpass/contract'
import { created, noContent, ok, router } from '../../http/handlers.ts'
import { bearerOf } from '../../people/http.ts'
import { type Context, forRequest } from '../../runtime/context.ts'
import { endContentAccess, readIndicator, reportContentAccess } from '../content-access.ts'
import { serializeContentAccess, serializeIndicator } from '../serialize-content-access.ts'

export const contentAccessRoutes = (ctx: Context) =>
  router(platformContract.contentAccess, {
    report: async ({ params: { meetingId }, body, req, res }) => {
      const reporting = forRequest(ctx, req)
      const type = body.content_type
      const access = await reportContentAccess(reporting, bearerOf(res), meetingId, type)
      return created(serializeContentAccess(access))
    },
    end: async ({ params: { meetingId, id }, req, res }) => {
      await endContentAccess(forRequest(ctx, req), bearerOf(res), meetingId, id)
      return noContent()
    },
    getIndicator: async ({ params: { meetingId }, query, res }) =>
      ok(serializeIndicator(ctx, await readIndicator(ctx, bearerOf(res), meetingId, query))),
  })
