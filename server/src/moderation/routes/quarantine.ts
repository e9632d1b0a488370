import { registryContract } from '@skillpass/contract'
import { callerOf } from '../../agents/http.ts'
import type { RegistryContext } from '../../catalogue/catalogue.ts'
import { serializeQuarantine } from '../../catalogue/serialize.ts'
import { fail } from '../../errors/failure.ts'
import { ok, router } from '../../http/handlers.ts'
import { forRequest } from '../../runtime/context.ts'
import { answerFindings } from '../quarantine.ts'

export const quarantineRoutes = (ctx: RegistryContext) =>
  router(registryContract.quarantine, {
    answer: async ({ params, body, req, res }) => {
      const answered = await answerFindings(forRequest(ctx, req), callerOf(res), params.id, body)
      return ok({ data: serializeQuarantine(ctx, answered) ?? fail('CONFLICT') })
    },
  })
