import { registryContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import type { Context } from '../../context.ts'
import { ok } from '../../http/answers.ts'
import { callerOf } from '../../http/caller.ts'
import { listNotices } from '../moderation/notices.ts'

const s = initServer()

export const noticesRoutes = (ctx: Context) =>
  s.router(registryContract.notices, {
    list: async ({ res }) => ok(await listNotices(ctx, callerOf(res))),
  })
