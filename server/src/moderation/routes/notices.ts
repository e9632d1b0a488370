import { registryContract } from '@skillpass/contract'
import { callerOf } from '../../agents/routes/authenticate.ts'
import type { RegistryContext } from '../../discovery/context.ts'
import { ok, router, serializeTimes } from '../../http/handlers.ts'
import { listNotices } from '../notices.ts'

export const noticesRoutes = (ctx: RegistryContext) =>
  router(registryContract.notices, {
    list: async ({ res }) => {
      const { notices, total } = await listNotices(ctx, callerOf(res))
      const data = notices.map(({ skillId, address, ...notice }) => ({
        ...serializeTimes(notice, ['createdAt']),
        skill: skillId === null || address === null ? null : { id: skillId, address },
      }))
      return ok({ data, total })
    },
  })
