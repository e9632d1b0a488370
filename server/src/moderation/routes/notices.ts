import { registryContract } from '@skillpass/contract'
import { callerOf } from '../../agents/routes/authenticate.ts'
import type { RegistryContext } from '../../discovery/context.ts'
import { ok, router } from '../../http/handlers.ts'
import { listNotices } from '../notices.ts'
import { serializeNotice } from '../serialize/notices.ts'

export const noticesRoutes = (ctx: RegistryContext) =>
  router(registryContract.notices, {
    list: async ({ res }) => {
      const { notices, total } = await listNotices(ctx, callerOf(res))
      return ok({ data: notices.map(serializeNotice), total })
    },
  })
