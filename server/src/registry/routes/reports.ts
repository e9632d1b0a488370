import { registryContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import type { Context } from '../../context.ts'
import { created, ok } from '../../http/answers.ts'
import { callerOf } from '../../http/caller.ts'
import { tellQuotas } from '../../http/quota-headers.ts'
import { submitReport } from '../moderation/reports.ts'

const s = initServer()

export const reportsRoutes = (ctx: Context) =>
  s.router(registryContract.reports, {
    submit: async ({ params, body, res }) => {
      const agent = callerOf(res)
      const { isNew, data } = await submitReport(ctx, agent, params.id, body, tellQuotas(res))
      return isNew ? created({ data }) : ok({ data })
    },
  })
