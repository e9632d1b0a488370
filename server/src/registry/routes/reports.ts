import { registryContract } from '@skillpass/contract'
import { from } from '../../audit/origin.ts'
import { created, ok, router } from '../../http/handlers.ts'
import type { RegistryContext } from '../catalogue/context.ts'
import { submitReport } from '../moderation/reports.ts'
import { serializeTimes } from '../serialize/list.ts'
import { callerOf } from './authenticate.ts'
import { tellQuotas } from './quota-headers.ts'

export const reportsRoutes = (ctx: RegistryContext) =>
  router(registryContract.reports, {
    submit: async ({ params, body, req, res }) => {
      const [asked, agent] = [from(ctx, req), callerOf(res)]
      const { isNew, report } = await submitReport(asked, agent, params.id, body, tellQuotas(res))
      const data = serializeTimes(report, ['createdAt', 'updatedAt'])
      return isNew ? created({ data }) : ok({ data })
    },
  })
