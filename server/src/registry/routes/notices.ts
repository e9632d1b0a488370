import { registryContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import { ok } from '../../http/answers.ts'
import type { RegistryContext } from '../context.ts'
import { listNotices } from '../moderation/notices.ts'
import { serializeNotice } from '../serialize/notices.ts'
import { callerOf } from './authenticate.ts'

const s = initServer()

export const noticesRoutes = (ctx: RegistryContext) =>
  s.router(registryContract.notices, {
    list: async ({ res }) => {
      const { notices, total } = await listNotices(ctx, callerOf(res))
      return ok({ data: notices.map(serializeNotice), total })
    },
  })
