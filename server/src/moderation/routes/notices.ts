import { registryContract } from '@skillpass/contract'
import { callerOf } from '../../agents/http.ts'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { listNotices } from '../../copies/notices.ts'
import { ok, router, serializeTimes } from '../../http/handlers.ts'

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
