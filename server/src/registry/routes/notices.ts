import { registryContract } from '@skillpass/contract'
import { ok, router } from '../../http/handlers.ts'
import type { RegistryContext } from '../catalogue/context.ts'
import { listNotices } from '../moderation/notices.ts'
import { serializeNotice } from '../serialize/notices.ts'
import { callerOf } from './authenticate.ts'

export const noticesRoutes = (ctx: RegistryContext) =>
  router(registryContract.notices, {
    list: async ({ res }) => {
      const { notices, total } = await listNotices(ctx, callerOf(res))
      return ok({ data: notices.map(serializeNotice), total })
    },
  })
