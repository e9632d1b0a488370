import { registryContract } from '@skillpass/contract'
import { callerOf, quotaReporter } from '../../agents/http.ts'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { created, ok, router, serializeTimes } from '../../http/handlers.ts'
import { forRequest } from '../../runtime/context.ts'
import { submitReport } from '../reports.ts'

export const reportsRoutes = (ctx: RegistryContext) =>
  router(registryContract.reports, {
    submit: async ({ params, body, req, res }) => {
      const [origin, agent] = [forRequest(ctx, req), callerOf(res)]
      const { isNew, report } = await submitReport(
        origin,
        agent,
        params.id,
        body,
        quotaReporter(res),
      )
      const data = serializeTimes(report, ['createdAt', 'updatedAt'])
      return isNew ? created({ data }) : ok({ data })
    },
  })
