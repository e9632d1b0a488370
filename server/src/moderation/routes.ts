import { registryContract } from '@skillpass/contract'
import { type AgentHandlers, callerOf, quotaReporter } from '../agents/http.ts'
import { listNotices } from '../audit/notices.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { serializeQuarantine } from '../catalogue/serialize.ts'
import { fail } from '../errors/failure.ts'
import { created, ok, router, serializeTimes } from '../http/handlers.ts'
import { forRequest } from '../runtime/context.ts'
import { answerFindings } from './quarantine.ts'
import { submitReport } from './reports.ts'

type Contract = typeof registryContract

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

export const quarantineHandlers: AgentHandlers<Contract['quarantine']> = {
  answer: async ({ ctx, caller, params, body }) => {
    const answered = await answerFindings(ctx, caller, params.id, body)
    return { data: serializeQuarantine(ctx, answered) ?? fail('CONFLICT') }
  },
}

export const noticesHandlers: AgentHandlers<Contract['notices']> = {
  list: async ({ ctx, caller }) => {
    const { notices, total } = await listNotices(ctx, caller)
    const data = notices.map(({ skillId, address, ...notice }) => ({
      ...serializeTimes(notice, ['createdAt']),
      skill: skillId === null || address === null ? null : { id: skillId, address },
    }))
    return { data, total }
  },
}
