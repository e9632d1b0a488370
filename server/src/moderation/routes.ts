import { registryContract } from '@skillpass/contract'
import { callerOf, quotaReporter } from '../agents/http.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { serializeQuarantine } from '../catalogue/serialize.ts'
import { listNotices } from '../copies/notices.ts'
import { fail } from '../errors/failure.ts'
import { created, ok, router, serializeTimes } from '../http/handlers.ts'
import { forRequest } from '../runtime/context.ts'
import { answerFindings } from './quarantine.ts'
import { submitReport } from './reports.ts'

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

export const quarantineRoutes = (ctx: RegistryContext) =>
  router(registryContract.quarantine, {
    answer: async ({ params, body, req, res }) => {
      const answered = await answerFindings(forRequest(ctx, req), callerOf(res), params.id, body)
      return ok({ data: serializeQuarantine(ctx, answered) ?? fail('CONFLICT') })
    },
  })

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
